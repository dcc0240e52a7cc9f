//! End to end: scenarios in the real window and in Chromium. A scenario that depends neither on the engine nor
//! on the transport runs in one of them.

#[macro_use]
mod scenario;

mod accessibility;
mod animation;
mod autosave;
mod broken_pictures;
mod commands;
mod completion;
mod context_menu;
mod dialog;
mod editor_lock;
mod expiry;
mod external_links;
mod file_drop;
mod file_operations;
mod files;
mod folder_tree;
mod grid;
mod hashes;
mod history;
mod input_method;
mod jobs;
mod keyboard;
mod language;
mod large_grid;
mod layout_stability;
mod live_updates;
mod locks;
mod marks;
mod narrow_window;
mod notes_import;
mod own_host;
mod page_pictures;
mod paste;
mod picture_shapes;
mod pictures;
mod printing;
mod reading;
mod recent_folders;
mod sample_wiki;
mod search;
mod second_start;
mod sort_filter;
mod spelling;
mod start_failure;
mod steps;
mod subfolders;
mod tab_order;
mod tabs;
mod vision;
mod wiki;
mod window_keyboard;
mod window_size;
mod writing;

// Scenarios that depend on the engine: input, focus, layout, painting, and the loads that a page may cause.
everywhere! {
    language::interface_follows_the_japanese_desktop,
    pictures::every_orientation_is_shown_upright,
    picture_shapes::pictures_of_every_shape_are_shown_whole,
    animation::animation_is_paused_and_stepped,
    large_grid::large_grid_scrolls_to_its_end,
    large_grid::skipped_thumbnails_are_not_made,
    autosave::unsaved_text_is_offered_after_a_crash,
    editor_lock::expired_editor_lock_loses_no_text,
    external_links::external_link_asks_for_confirmation,
    reading::code_formulas_and_diagrams_are_rendered,
    reading::page_content_runs_and_fetches_nothing,
    keyboard::views_are_operated_by_keys_alone,
    tab_order::tab_key_reaches_every_control,
    live_updates::grid_keeps_its_position_while_filling,
    page_pictures::picture_is_dragged_into_a_page,
}

// Operations that are commands in the window, and features that only the window has.
stage! { in_the_window on Window:
    writing::abandoned_draft_leaves_no_page,
    writing::page_with_japanese_title_survives_restart,
    locks::locked_page_does_not_open_the_editor,
    wiki::file_is_inserted_from_the_panel,
    wiki::orphaned_file_is_moved_to_another_page,
    completion::links_and_files_are_completed_by_keys,
    history::deleted_subtree_is_restored_from_the_trash,
    history::old_revision_is_compared_and_restored,
    file_operations::file_operations_are_done_and_undone,
    vision::pictures_are_described_by_a_local_service,
    hashes::recorded_folder_shows_changed_files,
    expiry::unread_thumbnails_expire,
    sort_filter::folder_is_sorted_by_date_and_filtered,
    wiki::recent_pages_are_offered_after_restart,
    tabs::tabs_are_restored_after_restart,
    window_keyboard::page_is_managed_by_keys_in_the_window,
    input_method::japanese_is_composed_in_the_editor,
    input_method::completion_waits_for_the_composition,
    input_method::accepting_a_conversion_submits_no_field,
    input_method::names_and_searches_can_be_composed,
    input_method::composition_survives_lost_lock_and_new_revision,
    input_method::unconverted_text_is_saved_as_typed,
    context_menu::window_menu_only_edits_text,
    spelling::misspelled_word_is_corrected_and_learned,
    reading::wide_table_shows_where_it_goes_on,
    window_size::window_size_survives_restart,
    commands::command_reaches_the_router,
    commands::grant_is_valid_once_in_its_window,
    files::chosen_files_are_added_to_a_page,
    files::files_dropped_on_the_window_are_added,
    paste::clipboard_picture_is_pasted_into_the_text,
    paste::file_dropped_on_text_is_linked,
    files::copy_is_saved_at_chosen_path,
    files::picture_is_shown_in_the_file_manager,
    files::picture_opens_in_the_default_program,
    history::history_is_saved_at_chosen_path,
    dialog::folder_is_chosen_in_the_system_dialog,
    wiki::wiki_is_exported_and_imported_by_dialogs,
    notes_import::folder_is_imported_and_undone_by_keys,
    wiki::mirror_folder_is_chosen_by_dialog,
    hashes::foreign_hash_records_are_read,
    printing::page_is_printed_in_ink_on_white,
    printing::page_is_saved_as_pdf,
    second_start::second_start_opens_folder_in_running_window,
    start_failure::lost_database_is_restored_from_the_failure_window,
    start_failure::failed_starts_open_windows_that_say_why,
    autosave::closing_window_keeps_text_and_releases_lock,
    autosave::window_with_unsaved_text_asks_before_closing,
    autosave::window_closes_once_text_is_saved,
}

stage! { in_the_browser on Browser:
    notes_import::imported_text_is_taken_over_by_keys,
    broken_pictures::broken_pictures_affect_no_others,
    autosave::new_page_is_recovered_after_a_crash,
    editor_lock::editing_acquires_renews_and_releases_the_lock,
    wiki::palette_finds_pages_and_offers_new_ones,
    search::search_opens_matches_and_follows_moves,
    completion::words_are_found_and_replaced_by_keys,
    reading::task_is_ticked_in_the_reading_view,
    reading::backlinks_are_shown_and_followed,
    history::links_follow_a_moved_page,
    history::deleted_page_is_viewed_and_restored,
    jobs::running_job_is_shown_and_cancelled_by_keys,
    live_updates::folder_changes_appear_by_themselves,
    subfolders::subfolders_are_shown_with_their_folder,
    folder_tree::tree_counts_pictures_and_shows_new_folders,
    recent_folders::recent_folder_is_found_again,
    marks::pictures_are_rated_tagged_and_filtered,
    page_pictures::inserted_pictures_link_back_to_the_page,
    page_pictures::gallery_shows_the_current_folder,
    own_host::no_other_port_gets_the_cookie,
    editor_lock::duplicated_tab_gets_its_own_id,
    autosave::closing_tab_keeps_text_and_releases_lock,
    reading::rendering_and_editor_keep_the_content_policy,
    accessibility::every_screen_passes_the_accessibility_audit,
    narrow_window::every_screen_fits_into_a_narrow_window,
    wiki::exported_wiki_is_imported_again,
    paste::pasted_picture_becomes_a_page_file,
    layout_stability::loading_pictures_do_not_move_text,
    layout_stability::known_picture_sizes_reserve_their_space,
    layout_stability::choosing_moves_no_neighbours,
    locks::second_tab_cannot_edit_a_locked_page,
}
