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
    language::a_japanese_desktop_is_spoken_to_in_japanese,
    pictures::every_orientation_is_shown_upright,
    wall::a_wall_is_scrolled_through_to_its_end,
    wall::what_is_scrolled_past_is_not_made,
    unsaved::unsaved_text_is_offered_again_after_a_crash,
    keeping::a_lock_that_expires_under_the_editor_loses_no_letter,
    outside::a_link_to_the_outside_asks_first,
    reading::code_formulas_and_diagrams_come_to_life,
    reading::nothing_that_a_page_brings_runs_or_is_fetched,
    keyboard::the_rooms_are_walked_through_by_keys_alone,
    tabbing::the_tab_key_leads_through_every_room,
    alive::nothing_jumps_while_a_folder_fills,
    inserted::a_picture_is_dragged_into_a_page,
}

// Operations that the window has as commands, and what only the window has.
stage! { in_the_window on Window:
    writing::a_draft_that_is_given_up_leaves_no_page,
    writing::a_page_with_a_japanese_title_outlives_the_program,
    locks::a_page_that_somebody_writes_is_not_opened_for_writing,
    finding::a_file_is_inserted_from_the_panel,
    finding::a_file_without_a_page_is_given_to_another,
    completing::links_and_files_are_completed_by_keys,
    past::a_deleted_page_comes_back_from_the_bin_with_what_lay_beneath,
    past::an_old_text_is_compared_and_gone_back_to,
    doing::files_are_renamed_moved_and_deleted_and_come_back,
    described::pictures_are_described_by_a_local_service,
    recorded::a_folder_is_recorded_and_what_changed_is_found,
    expiring::unread_thumbnails_expire,
    sorted::a_folder_is_ordered_by_date_and_filtered_by_name,
    finding::what_was_read_last_is_offered_after_a_restart,
    by_hand::a_page_lives_its_life_by_the_keys_of_the_real_window,
    composed::japanese_is_composed_in_the_text,
    composed::a_completion_waits_for_what_is_composed,
    composed::a_field_is_not_answered_by_a_conversion,
    composed::what_is_renamed_or_sought_may_be_composed,
    composed::what_is_composed_outlives_a_lost_lock_and_another_s_revision,
    composed::what_is_not_converted_yet_is_saved_as_it_stands,
    desktop::it_comes_back_as_large_as_it_was_left,
    contract::both_doors_keep_the_contract,
    contract::a_grant_is_good_for_one_use_by_its_window,
    files::files_are_chosen_and_brought_to_a_page,
    files::files_are_dropped_on_the_window,
    pasted::a_picture_of_the_clipboard_is_pasted_into_the_text,
    pasted::a_file_dropped_on_the_text_is_linked_there,
    files::a_copy_is_kept_where_one_says,
    files::a_picture_is_shown_in_the_file_manager,
    files::a_picture_is_opened_by_the_program_that_the_desktop_has,
    past::the_history_is_kept_where_one_says,
    dialog::a_folder_is_chosen_in_the_system_s_dialog,
    finding::what_was_exported_by_the_dialog_is_brought_in_by_the_dialog,
    recorded::another_programs_records_are_read_in_the_window,
    whole::from_the_first_name_to_pictures_that_a_second_start_hands_over,
    unsaved::closing_the_window_keeps_the_text_and_gives_the_lock_back,
    unsaved::a_window_whose_text_is_kept_nowhere_asks_before_it_closes,
    unsaved::a_window_whose_text_is_kept_late_closes_by_itself,
}

stage! { in_the_browser on Browser:
    broken::broken_pictures_cost_only_themselves,
    unsaved::a_new_page_is_taken_up_again_after_a_crash,
    keeping::the_way_from_reading_to_writing_and_back,
    finding::a_page_is_found_by_its_reading_and_one_that_is_not_there_is_offered,
    searching::a_word_is_found_opened_at_and_found_again_after_a_move,
    completing::words_are_found_and_replaced_by_keys,
    reading::a_task_is_ticked_where_it_is_read,
    reading::pages_that_link_here_are_shown_and_followed,
    past::a_page_that_moves_is_still_found_by_what_links_to_it,
    past::a_deleted_page_is_looked_at_and_comes_back_at_its_address,
    working::work_that_goes_on_is_told_elsewhere_and_ended_by_keys,
    alive::what_happens_in_a_folder_shows_by_itself,
    beneath::all_that_lies_beneath_a_folder_is_one_with_it,
    branches::the_tree_counts_and_hears_of_new_folders,
    recent::a_folder_that_was_looked_at_is_found_again,
    marked::pictures_are_rated_and_tagged_and_found_by_that,
    inserted::pictures_come_into_a_page_and_lead_back_to_it,
    inserted::a_folder_is_shown_in_a_page_as_it_is,
    own_host::no_other_port_gets_the_cookie,
    keeping::a_duplicated_tab_gets_an_id_of_its_own,
    unsaved::closing_the_tab_keeps_the_text_and_gives_the_lock_back,
    reading::live_parts_and_the_editor_keep_the_policy,
    reach::no_screen_shuts_anybody_out,
    narrow::every_screen_fits_into_a_narrow_window,
    finding::what_was_exported_is_brought_in_again,
    pasted::a_pasted_picture_becomes_a_file_of_the_page,
    still::a_text_stays_where_it_is_while_its_pictures_come,
    still::what_was_seen_once_has_its_room,
    locks::a_second_tab_is_refused_while_the_first_writes,
}
