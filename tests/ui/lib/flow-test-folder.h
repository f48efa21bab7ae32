/* flow-test-folder.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-window-driver.h"

G_BEGIN_DECLS

/* A fixture of window tests: a folder of its own, and the window that is open. Both go with it. */
typedef struct {
  char *folder;
  FlowWindow *window;          /* nullable */
} TestFolder;

void   test_folder_set_up     (TestFolder    *self,
                               gconstpointer  data);
void   test_folder_tear_down  (TestFolder    *self,
                               gconstpointer  data);
char  *test_folder_path       (TestFolder    *self,
                               const char    *name);
char  *test_folder_write      (TestFolder    *self,
                               const char    *name,
                               const char    *text);
/* Writes @text, and opens it in the window. */
void   test_folder_open       (TestFolder    *self,
                               const char    *name,
                               const char    *text);
/* A file of tests/golden, or all files of a folder there. */
void   test_folder_copy       (TestFolder    *self,
                               const char    *golden,
                               const char    *to);
void   test_folder_copy_all   (TestFolder    *self,
                               const char    *golden);

G_END_DECLS
