/* flow-preferences.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-preferences.h"

#include <glib/gi18n.h>

/* Preferences are bound to GSettings both ways: no key is read only once. */

static GSettings *
dup_settings (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr(GSettingsSchema) schema =
    source != NULL ? g_settings_schema_source_lookup (source, "org.flowstep.Flowstep", TRUE) : NULL;

  return schema != NULL ? g_settings_new ("org.flowstep.Flowstep") : NULL;
}

static void
color_scheme_changed_cb (GSettings  *settings,
                         const char *key,
                         gpointer    data)
{
  static const AdwColorScheme schemes[] = {
    ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT, ADW_COLOR_SCHEME_FORCE_DARK,
  };
  int i = g_settings_get_enum (settings, "color-scheme");

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      schemes[CLAMP (i, 0, 2)]);
}

/* Follows the colour scheme that is set, now and later. */
void
flow_preferences_apply_color_scheme (void)
{
  GSettings *settings = dup_settings ();

  if (settings == NULL)
    return;
  g_signal_connect (settings, "changed::color-scheme", G_CALLBACK (color_scheme_changed_cb), NULL);
  color_scheme_changed_cb (settings, NULL, NULL);
  /* It lives as long as the application does. */
  g_object_set_data_full (G_OBJECT (adw_style_manager_get_default ()), "flow-settings", settings,
                          g_object_unref);
}

static void
add_switch (AdwPreferencesGroup *group,
            GSettings           *settings,
            const char          *key,
            const char          *title,
            const char          *subtitle)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *toggle = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  if (settings != NULL)
    g_settings_bind (settings, key, toggle, "active", G_SETTINGS_BIND_DEFAULT);
  adw_preferences_group_add (group, row);
}

static void
scheme_selected_cb (AdwComboRow *row,
                    GParamSpec  *pspec,
                    GSettings   *settings)
{
  g_settings_set_enum (settings, "color-scheme", (int) adw_combo_row_get_selected (row));
}

static void
add_scheme (AdwPreferencesGroup *group,
            GSettings           *settings)
{
  GtkWidget *row = adw_combo_row_new ();
  const char *const names[] = { _("As the system"), _("Light"), _("Dark"), NULL };
  g_autoptr(GtkStringList) model = gtk_string_list_new (names);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Colours"));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (model));
  if (settings != NULL)
    {
      adw_combo_row_set_selected (ADW_COMBO_ROW (row),
                                  (guint) g_settings_get_enum (settings, "color-scheme"));
      g_signal_connect_object (row, "notify::selected", G_CALLBACK (scheme_selected_cb), settings,
                               0);
      g_object_set_data_full (G_OBJECT (row), "flow-settings", g_object_ref (settings),
                              g_object_unref);
    }
  adw_preferences_group_add (group, row);
}

GtkWidget *
flow_preferences_new (void)
{
  GtkWidget *window = adw_preferences_window_new ();
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  AdwPreferencesGroup *look = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  AdwPreferencesGroup *canvas = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  g_autoptr(GSettings) settings = dup_settings ();

  adw_preferences_group_set_title (look, _("Appearance"));
  add_scheme (look, settings);
  adw_preferences_group_set_title (canvas, _("Canvas"));
  add_switch (canvas, settings, "follow-next", _("Follow the next op"),
              _("Camera and selection go with the run"));
  add_switch (canvas, settings, "edge-shapes", _("Shapes on edges"),
              _("Say on each edge what shape its tensor has"));
  adw_preferences_page_add (page, look);
  adw_preferences_page_add (page, canvas);
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window), page);
  return window;
}
