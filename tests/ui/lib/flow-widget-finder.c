/* flow-widget-finder.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-widget-finder.h"

#include <string.h>

typedef gboolean (*Matches) (GtkWidget  *widget,
                             const char *text,
                             const char *more);

static GtkWidget *
find_where (GtkWidget  *root,
            Matches     matches,
            const char *text,
            const char *more)
{
  if (matches (root, text, more))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_where (child, matches, text, more);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
is_of_type (GtkWidget  *widget,
            const char *type,
            const char *css_class)
{
  GType wanted = g_type_from_name (type);

  return wanted != 0 && g_type_is_a (G_OBJECT_TYPE (widget), wanted) &&
         (css_class == NULL || gtk_widget_has_css_class (widget, css_class));
}

static const char *
text_of (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return gtk_label_get_text (GTK_LABEL (widget));
  if (GTK_IS_INSCRIPTION (widget))
    return gtk_inscription_get_text (GTK_INSCRIPTION (widget));
  return NULL;
}

static gboolean
says (GtkWidget  *widget,
      const char *text,
      const char *more)
{
  return g_strcmp0 (text_of (widget), text) == 0;
}

static gboolean
says_in_part (GtkWidget  *widget,
              const char *part,
              const char *more)
{
  return text_of (widget) != NULL && strstr (text_of (widget), part) != NULL;
}

static gboolean
does (GtkWidget  *widget,
      const char *action,
      const char *more)
{
  return GTK_IS_ACTIONABLE (widget) &&
         g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0;
}

/* @css_class: (nullable): it has this one too */
GtkWidget *
find_widget (GtkWidget  *root,
             const char *type,
             const char *css_class)
{
  return find_where (root, is_of_type, type, css_class);
}

GtkWidget *
find_label (GtkWidget  *root,
            const char *text)
{
  return find_where (root, says, text, NULL);
}

GtkWidget *
find_label_with (GtkWidget  *root,
                 const char *part)
{
  return find_where (root, says_in_part, part, NULL);
}

GtkWidget *
find_action_button (GtkWidget  *root,
                    const char *action)
{
  return find_where (root, does, action, NULL);
}

guint
count_widgets (GtkWidget  *root,
               const char *type)
{
  guint n = is_of_type (root, type, NULL);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_widgets (child, type);
  return n;
}
