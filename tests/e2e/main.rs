//! End to end: scenarios in the real window and in Chromium. A scenario that depends neither on the engine nor
//! on the transport runs in one of them.

#[macro_use]
mod scenario;

mod alive;
mod beneath;
mod branches;
mod broken;
mod by_hand;
mod completing;
mod composed;
mod contract;
mod described;
mod desktop;
mod dialog;
mod doing;
mod expiring;
mod files;
mod finding;
mod furnished;
mod given;
mod grid;
mod inserted;
mod keeping;
mod keyboard;
mod language;
mod locks;
mod marked;
mod narrow;
mod outside;
mod own_host;
mod past;
mod pasted;
mod pictures;
mod reach;
mod reading;
mod recent;
mod recorded;
mod searching;
mod sorted;
mod steps;
mod still;
mod tabbing;
mod unsaved;
mod wall;
mod whole;
mod working;
mod writing;

// What depends on the engine: input, focus, layout, painting, and what a page may load.
everywhere! {
    language::interface_follows_the_japanese_desktop,
    pictures::every_orientation_is_shown_upright,
    wall::large_grid_scrolls_to_its_end,
    wall::skipped_thumbnails_are_not_made,
    unsaved::unsaved_text_is_offered_after_a_crash,
    keeping::expired_editor_lock_loses_no_text,
    outside::external_link_asks_for_confirmation,
    reading::code_formulas_and_diagrams_are_rendered,
    reading::page_content_runs_and_fetches_nothing,
    keyboard::views_are_operated_by_keys_alone,
    tabbing::tab_key_reaches_every_control,
    alive::grid_keeps_its_position_while_filling,
    inserted::picture_is_dragged_into_a_page,
}

// Operations that the window has as commands, and what only the window has.
stage! { in_the_window on Window:
    writing::abandoned_draft_leaves_no_page,
    writing::page_with_japanese_title_survives_restart,
    locks::locked_page_does_not_open_the_editor,
    finding::file_is_inserted_from_the_panel,
    finding::orphaned_file_is_moved_to_another_page,
    completing::links_and_files_are_completed_by_keys,
    past::deleted_subtree_is_restored_from_the_trash,
    past::old_revision_is_compared_and_restored,
    doing::file_operations_are_done_and_undone,
    described::pictures_are_described_by_a_local_service,
    recorded::recorded_folder_shows_changed_files,
    expiring::unread_thumbnails_expire,
    sorted::folder_is_sorted_by_date_and_filtered,
    finding::recent_pages_are_offered_after_restart,
    by_hand::page_is_managed_by_keys_in_the_window,
    composed::japanese_is_composed_in_the_editor,
    composed::completion_waits_for_the_composition,
    composed::accepting_a_conversion_submits_no_field,
    composed::names_and_searches_can_be_composed,
    composed::composition_survives_lost_lock_and_new_revision,
    composed::unconverted_text_is_saved_as_typed,
    desktop::window_size_survives_restart,
    contract::both_transports_keep_the_contract,
    contract::grant_is_valid_once_in_its_window,
    files::chosen_files_are_added_to_a_page,
    files::files_dropped_on_the_window_are_added,
    pasted::clipboard_picture_is_pasted_into_the_text,
    pasted::file_dropped_on_text_is_linked,
    files::copy_is_saved_at_chosen_path,
    files::picture_is_shown_in_the_file_manager,
    files::picture_opens_in_the_default_program,
    past::history_is_saved_at_chosen_path,
    dialog::folder_is_chosen_in_the_system_dialog,
    finding::wiki_is_exported_and_imported_by_dialogs,
    recorded::foreign_hash_records_are_read,
    whole::second_start_opens_folder_in_running_window,
    unsaved::closing_window_keeps_text_and_releases_lock,
    unsaved::window_with_unsaved_text_asks_before_closing,
    unsaved::window_closes_once_text_is_saved,
}

stage! { in_the_browser on Browser:
    broken::broken_pictures_affect_no_others,
    unsaved::new_page_is_recovered_after_a_crash,
    keeping::editing_acquires_renews_and_releases_the_lock,
    finding::palette_finds_pages_and_offers_new_ones,
    searching::search_opens_matches_and_follows_moves,
    completing::words_are_found_and_replaced_by_keys,
    reading::task_is_ticked_in_the_reading_view,
    reading::backlinks_are_shown_and_followed,
    past::links_follow_a_moved_page,
    past::deleted_page_is_viewed_and_restored,
    working::running_job_is_shown_and_cancelled_by_keys,
    alive::folder_changes_appear_by_themselves,
    beneath::subfolders_are_shown_with_their_folder,
    branches::tree_counts_pictures_and_shows_new_folders,
    recent::recent_folder_is_found_again,
    marked::pictures_are_rated_tagged_and_filtered,
    inserted::inserted_pictures_link_back_to_the_page,
    inserted::gallery_shows_the_current_folder,
    own_host::no_other_port_gets_the_cookie,
    keeping::duplicated_tab_gets_its_own_id,
    unsaved::closing_tab_keeps_text_and_releases_lock,
    reading::rendering_and_editor_keep_the_content_policy,
    reach::every_screen_passes_the_accessibility_audit,
    narrow::every_screen_fits_into_a_narrow_window,
    finding::exported_wiki_is_imported_again,
    pasted::pasted_picture_becomes_a_page_file,
    still::loading_pictures_do_not_move_text,
    still::known_picture_sizes_reserve_their_space,
    locks::second_tab_cannot_edit_a_locked_page,
}
