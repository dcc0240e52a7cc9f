// The state of a folder on the screen: its listing, selection and viewer, and the operations on its entries.
import { untrack } from "svelte";
import { AlbumActions, albumName, Favourites, isSmart, SavedSearch, withAlbumId, withAlbumName } from "../albums";
import type { Backend, FilePlace, FolderEntry, Marks, PictureGrouping, Root } from "../api/backend";
import { galleryFrom, galleryQuery } from "../api/addresses/gallery-address";
import type { Action, Crumb, StatusItem, Host } from "../api/host";
import { encodeName, type EncodedPath, lastSegment, parentPath, readableSegment } from "../api/names";
import { formatNumber, t } from "../i18n";
import { albumAddress, ALBUMS_ADDRESS } from "../api/addresses/album-address";
import { searchAddress } from "../api/search";
import { fold } from "../i18n/fold";
import type { DescribeRun } from "../vision";
import { Comparison } from "./compare/comparison.svelte";
import { DescriptionDialog } from "./describe/description-dialog.svelte";
import { countsOf, type PictureCounts } from "./covers/picture-counts.svelte";
import { duplicatesMenu } from "./duplicates/duplicates-menu";
import { fileNamed, nextFile, viewableFiles } from "./entries/companions";
import { displayName } from "./entries/display-name";
import { isSamePlace, placeOfEntry } from "./entries/folder-place";
import { handleDrops } from "./entries/dropped-files";
import { ExternalActions } from "./file-ops/external-actions";
import { FileActions } from "./file-ops/file-actions.svelte";
import { externalMenu, fileMenu, newFolderMenu } from "./file-ops/file-menu";
import type { FavouriteMarks } from "./grid/favourite-marks";
import { FolderHashes } from "./hash-records/folder-hashes.svelte";
import { FolderListing } from "./listing/folder-listing.svelte";
import { FolderSizes } from "./listing/folder-size.svelte";
import type { Listing } from "./listing/listing.svelte";
import { MarkEditor } from "./marks/mark-editor.svelte";
import { markMenu } from "./marks/mark-shortcuts";
import { RatingAdvance } from "./marks/rating-advance.svelte";
import { turnMenu } from "./marks/turn-menu";
import { entryAddress, type FolderPlace, ownFolderAddress, picturesAddress, type Showing } from "./query/address";
import { breadcrumbs } from "./query/breadcrumbs";
import { type Filter, filterFrom, filterQuery, NO_FILTER } from "./query/filter";
import { searchFilter } from "./query/filtered-search";
import { folderQuery, leaveGallery } from "./query/gallery-query";
import type { Order } from "./query/listing-query";
import type { Grouping } from "./query/order";
import type { Roots } from "./roots/roots.svelte";
import { reportSelectionFailure } from "./selection/selection-words";
import { Selection } from "./selection/selection.svelte";
import { sessionMemory } from "./session/session-memory";
import { fileStatus, folderStatus, hashStatus, markStatus, pictureStatus } from "./status-items";
import { FoundPictures, type Tour } from "./viewer/found-pictures.svelte";
import { FolderSequence, type Neighbours, type PictureSequence, type SequencePicture } from "./viewer/picture-sequence";
import { ViewerState } from "./viewer/viewer-state.svelte";

/** What the state depends on. All of it is reactive. */
export interface FolderStateProps {
  root: Root;
  place: FolderPlace;
  backend: Backend;
  host: Host;
  roots: Pick<Roots, "renew">;
  order: Order;
  grouping: PictureGrouping;
  /** True if a picture of several files is one entry. */
  isJoined: boolean;
  ongrouping: (grouping: PictureGrouping) => void;
  /** Called when a folder is shown. Returns a function to call when it no longer is. */
  onshown: (folder: FilePlace) => (() => void) | undefined;
  /** Called with a job on hash records that was started. */
  onjob: (id: string, words: string) => void;
  /** Starts a job over many pictures. */
  ondescribe: (run: DescribeRun) => Promise<void>;
}

export class FolderState {
  // Strings stay equal if another part of the address changes: the listing is read again only for another folder.
  readonly root = $derived.by(() => this.props.root.id);
  readonly path = $derived.by(() => this.props.place.path);
  /** Each read of the roots makes new objects of them. */
  readonly #isRootAvailable = $derived.by(() => this.props.root.available);
  /** The name of the picture in the viewer; null if the viewer is closed. */
  readonly view = $derived.by(() => this.props.place.view);
  readonly #galleryQuery = $derived.by(() => (this.props.place.gallery ? galleryQuery(this.props.place.gallery) : ""));
  /** The query of the search from which the picture was opened. */
  readonly found = $derived.by(() => this.props.place.found ?? null);
  /** The album from which the picture was opened. */
  readonly album = $derived.by(() => this.props.place.album ?? null);
  /** The query of the search whose results are shown; null in a folder. */
  readonly results = $derived.by(() => this.props.place.results ?? null);
  readonly #saved = $derived.by(() => this.props.place.saved ?? null);
  readonly tour = $derived.by<Tour | null>(() => {
    if (this.found !== null) return { kind: "search", query: this.found };
    return this.album === null ? null : { kind: "album", id: this.album, within: this.gallery };
  });
  readonly gallery = $derived(galleryFrom(new URLSearchParams(this.#galleryQuery)));
  readonly #filterQuery = $derived.by(() => filterQuery(this.props.place.filter ?? NO_FILTER));
  readonly filter = $derived.by(() => {
    const filter = filterFrom(new URLSearchParams(this.#filterQuery));
    return this.results === null ? filter : searchFilter(filter);
  });
  readonly #sort = $derived.by(() => this.props.order.sort);
  readonly #direction = $derived.by(() => this.props.order.order);
  readonly group = $derived.by(() => this.props.place.group ?? this.props.grouping);
  readonly #isJoined = $derived.by(() => this.props.isJoined);
  readonly #query = $derived(folderQuery({ sort: this.#sort, order: this.#direction }, this.group, this.filter, this.tour === null ? this.gallery : null, this.#isJoined, this.results));
  readonly #showing = $derived.by<Showing>(() => ({ filter: this.filter, group: this.props.place.group, gallery: this.gallery ?? undefined, found: this.found ?? undefined, album: this.album ?? undefined, results: this.results ?? undefined, saved: this.#saved ?? undefined }));

  readonly listings: FolderListing;
  readonly selection: Selection;
  readonly viewer: ViewerState;
  readonly comparison = new Comparison();
  readonly advance = new RatingAdvance();
  readonly files: FileActions;
  readonly marks: MarkEditor;
  readonly description: DescriptionDialog;
  readonly hashes: FolderHashes;
  readonly albums: AlbumActions;
  readonly savedSearch: SavedSearch;
  readonly #favourites: Favourites;
  readonly favouriteMarks: FavouriteMarks = {
    has: (entry) => this.#favourites.has(placeOfEntry(this.folder, entry)),
    toggle: (entry) => void this.albums.toggleFavourite([placeOfEntry(this.folder, entry)]),
  };
  readonly #external: ExternalActions;
  readonly #foundPictures: FoundPictures;
  readonly #counts: PictureCounts;
  readonly #sizes: FolderSizes;
  readonly #hasFolders = $derived.by(() => this.listing.hasFolders && !this.isViewerOpen);
  #isFilterBarShown = $state(sessionMemory.isFilterBarShown);
  /** True once the user has left: nothing navigates any more. */
  #isDisposed = false;

  readonly isViewerOpen = $derived.by(() => this.view !== null);
  readonly isComparing = $derived.by(() => this.comparison.entries.length > 0 && this.view === null);
  readonly #isReady = $derived.by(() => this.listing.state === "ready");
  /** The root; the results of a search have the name of their smart album. */
  readonly #namedRoot = $derived.by<Root>(() => (this.savedSearch.album === null ? this.props.root : { ...this.props.root, name: albumName(this.savedSearch.album) }));
  readonly folderName = $derived.by(() => displayName(this.path === "" ? this.#namedRoot.name : readableSegment(lastSegment(this.path))));
  /** The picture in the viewer, with pending changes. */
  readonly picture = $derived.by(() => this.viewer.position && this.marks.withPending(this.viewer.position.entry));
  /** The file of the picture that the address names: the shown one, or another one of several. */
  readonly file = $derived.by(() => this.picture && (this.view === null ? this.picture : (fileNamed(this.picture, this.view) ?? this.picture)));
  /** True if the picture in the viewer has several files that can be viewed. */
  readonly hasOtherFiles = $derived.by(() => this.picture !== null && this.#isShownHere && viewableFiles(this.picture).length > 1);
  readonly pictureName = $derived.by(() => (this.file && this.isViewerOpen ? displayName(this.file.name) : null));
  /** The number of the picture among all pictures, as in "12 of 3,456"; null if it is unknown. */
  readonly pictureNumber = $derived.by(() => {
    if (this.tour !== null && this.#foundIndex >= 0) {
      return t(this.tour.kind === "search" ? "folders.found_at" : "folders.picture_at", { at: formatNumber(this.#foundIndex + 1), count: formatNumber(this.#foundPictures.count) });
    }
    const number = this.viewer.position?.number;
    return number ? t("folders.picture_at", { at: formatNumber(number), count: formatNumber(this.listing.pictures) }) : null;
  });

  /** The index of the picture among the results of the search or in the album; -1 if it is not among them. */
  readonly #foundIndex = $derived.by(() => {
    const { folder, picture, view } = this;
    if (view === null) return -1;
    const index = this.#foundPictures.indexOf(folder, view);
    // The address names another file of the picture.
    return index < 0 && picture && fileNamed(picture, view) ? this.#foundPictures.indexOf(folder, encodeName(picture)) : index;
  });
  /** The pictures that the viewer goes through: those from which the picture was opened, or those of the folder. */
  readonly pictures = $derived.by<PictureSequence>(() => (this.tour === null ? new FolderSequence(this.listing) : this.#foundPictures));
  /** The index of the shown picture among those; null if it is not among them. */
  readonly pictureIndex = $derived.by(() => {
    const { position } = this.viewer;
    if (position === null || this.tour === null) return position?.index ?? null;
    const index = this.#foundPictures.indexOf(position.folder, encodeName(position.entry));
    const shown = index < 0 && this.#isShownHere ? this.#foundIndex : index;
    return shown < 0 ? null : shown;
  });
  readonly neighbours = $derived.by<Neighbours>(() => {
    const { pictures, pictureIndex, viewer } = this;
    const beside = (by: 1 | -1) => {
      const index = this.tour === null ? viewer.neighbour(by) : pictureIndex === null ? null : pictureIndex + by;
      return index === null ? null : (pictures.at(index) ?? null);
    };
    return { before: beside(-1), after: beside(1) };
  });
  /** False while a picture of another folder is shown until that of the address is found. */
  readonly #isShownHere = $derived.by(() => this.viewer.position !== null && isSamePlace(this.viewer.position.folder, this.folder));
  /** The state of the hash record of the file in the viewer; null without one. */
  readonly hashState = $derived.by(() => (this.file && this.#isShownHere ? this.hashes.stateOf(this.file) : null));

  /** Creates the state. `focusGrid` moves the focus to a cell, by default to the one that had it. */
  constructor(
    private readonly props: FolderStateProps,
    private readonly focusGrid: (index?: number) => void,
  ) {
    const { backend, host } = untrack(() => ({ backend: props.backend, host: props.host }));
    this.#foundPictures = new FoundPictures(backend);
    this.#counts = countsOf(backend.folders);
    this.#sizes = new FolderSizes(backend.folders);
    this.listings = new FolderListing(backend, {
      root: () => this.root,
      path: () => this.path,
      query: () => this.#query,
      mayBePartial: () => !this.isViewerOpen && sessionMemory.beginsAtFirst({ ...this.folder, query: this.#query }),
    });
    const { gate } = this.listings;
    this.selection = new Selection(reportSelectionFailure(host));
    this.viewer = new ViewerState(() => gate.isHeld);
    const context = { folder: () => this.folder, targets: this.targets, hold: gate.hold };
    this.files = new FileActions(backend, host, { ...context, onrenamed: this.#onrenamed });
    const isRead = () => this.listing.isRead;
    this.marks = new MarkEditor(backend, host, { ...context, isRead, isRecursive: () => this.listings.isRecursive, onmarked: this.#onmarked, onrated: this.#goOn });
    this.description = new DescriptionDialog(backend, host, { ...context, begin: (run) => this.props.ondescribe(run) });
    this.#external = new ExternalActions(backend, host, context);
    this.albums = new AlbumActions(backend, host, this.#pictureTargets);
    this.#favourites = new Favourites(backend);
    this.savedSearch = new SavedSearch(backend, host);
    this.hashes = new FolderHashes(backend, (id, words) => this.props.onjob(id, words));
  }

  get folder(): FilePlace {
    return { root: this.root, path: this.path };
  }

  /** The listing on the screen. */
  get listing(): Listing {
    return this.listings.current;
  }

  get isFilterBarShown(): boolean {
    return this.#isFilterBarShown;
  }

  get title(): string {
    return this.pictureName ?? this.folderName;
  }

  get crumbs(): Crumb[] {
    const isElsewhere = this.gallery !== null || this.tour !== null;
    const search = { results: this.results ?? undefined, saved: this.#saved ?? undefined };
    const crumbs = breadcrumbs(this.#namedRoot, this.path, this.pictureName, isElsewhere ? search : this.#showing);
    if (this.results === null) return crumbs;
    const { album } = this.savedSearch;
    return [album === null ? { label: t("search.title"), href: this.above } : { label: t("albums.title"), href: ALBUMS_ADDRESS }, ...crumbs];
  }

  /** The address of what is above the folder: for results the search, for a smart album all albums, and for an album itself. */
  get above(): string {
    const { album } = this.savedSearch;
    if (this.results !== null && album === null) return searchAddress({ query: this.results });
    if (this.results !== null && album !== null) return isSmart(album) ? ALBUMS_ADDRESS : albumAddress(album.id);
    const up = parentPath(this.path);
    return up === null ? "/pictures/" : picturesAddress(this.root, up);
  }

  get statusItems(): StatusItem[] {
    const { listing } = this;
    const entry = this.isViewerOpen ? this.file : null;
    const work = [...markStatus(this.marks.message), ...fileStatus(this.files.progress)];
    if (listing.state !== "ready") return work;
    if (entry) return [...pictureStatus(entry, this.pictureNumber), ...work];
    const size = this.results === null ? this.#sizes.size : { files: listing.pictures, bytes: listing.bytes, free: null };
    return [...folderStatus(listing, this.selection, this.listings.watching, this.#counts.of(this.folder), size), ...hashStatus(this.hashes.verified), ...work];
  }

  /** The removal from the album that is shown as a folder. */
  get #takeOutMenu(): Action[] {
    const { album } = this.savedSearch;
    return album === null || isSmart(album) ? [] : this.albums.takeOutMenu(album);
  }

  /** The actions for the entries. */
  get actions(): Action[] {
    const files = fileMenu(this.files, { moveToTrash: this.moveToTrash, canZoom: this.isViewerOpen || this.isComparing });
    // Results are of many folders, and the other actions of one.
    if (this.results !== null) return [...this.savedSearch.menu(this.results), ...markMenu(this.marks), ...this.description.menu(), ...turnMenu(this.marks), ...this.albums.menu(), ...this.#takeOutMenu, ...files.filter(({ id }) => id !== "copy-gallery"), ...externalMenu(this.#external)];
    const newFolder = this.isViewerOpen || this.isComparing ? [] : newFolderMenu(this.files, () => ({ ...this.folder, name: this.folderName }));
    return [...markMenu(this.marks), ...this.description.menu(), ...turnMenu(this.marks), ...this.albums.menu(), ...files, ...newFolder, ...externalMenu(this.#external), ...duplicatesMenu(this.folder, this.props.host), ...this.hashes.menu()];
  }

  /** True if Escape clears the selection. */
  get canDeselect(): boolean {
    return !this.isViewerOpen && !this.isComparing && (this.selection.count > 0 || this.selection.isWorking);
  }

  /**
   * Follows the folder as long as the current effect exists. Each of these effects calls one transition, and none
   * depends on the order.
   */
  connect(): void {
    $effect(() => this.listings.disposeUnused());
    $effect(() => {
      const drops = () =>
        handleDrops({
          pictures: (how, files, to) => void this.files.transfer(how, files, to),
          files: (how, files, to) => void this.files.receive(how, files, to),
        });
      const stops = untrack(() => [this.files.listen(), this.listings.listen(), drops()]);
      return () => stops.forEach((stop) => stop());
    });
    $effect(() => untrack(() => this.#favourites.follow()));
    $effect.pre(() => this.#updateSelection());
    $effect.pre(() => this.#updateOpenEntries());
    $effect(() => {
      void [this.root, this.path];
      untrack(() => this.closeDialogs());
    });
    $effect(() => (this.#isReady ? this.#visit(this.folder) : undefined));
    $effect(() => this.#checkRoot());
    $effect(() => this.listings.refreshMetadata(this.isViewerOpen));
    $effect(() => this.listings.completeSearch());
    $effect(() => {
      const saved = this.#saved;
      return untrack(() => this.savedSearch.follow(saved));
    });
    $effect(() => this.viewer.follow(this.listing, this.view));
    $effect(() => {
      if (!this.#hasFolders) return;
      const { folder } = this;
      return untrack(() => this.#counts.want(folder, ""));
    });
    $effect(() => {
      // Results are of many folders, and perhaps of several disks.
      if (!this.#isReady || this.results !== null) return;
      const { folder, group } = this;
      return untrack(() => this.#sizes.follow(folder, group === "folder"));
    });
    $effect(() => {
      void this.listing.version;
      untrack(() => this.#sizes.update());
    });
    $effect(() => untrack(() => this.props.backend.events.on("folder.changed", () => this.#counts.refresh())));
    $effect(() => {
      if (!this.#isReady) return;
      const entries = this.listings.isRecursive ? this.listing.loadedEntries : [];
      untrack(() => this.hashes.showFoldersOf(entries));
    });
    $effect(() => {
      const { tour } = this;
      return tour === null ? undefined : untrack(() => this.#foundPictures.follow(tour));
    });
    $effect(() => {
      if (this.tour === null) return;
      void this.#foundPictures.version;
      const index = this.#foundIndex;
      untrack(() => this.#foundPictures.readAround(index));
    });
    $effect(() => {
      const { pictureIndex } = this;
      void this.#foundPictures.version;
      if (this.tour !== null && pictureIndex !== null) untrack(() => this.#foundPictures.readBeside(pictureIndex));
    });
    $effect(() => {
      const { view } = this;
      untrack(() => this.#changeView(view));
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.files.close();
    this.marks.dispose();
    this.listings.dispose();
  }

  /**
   * Returns the targets of actions: the picture in the viewer, even while it loads; in a comparison the picture with
   * the focus; otherwise the selection.
   */
  readonly targets = async (): Promise<readonly FolderEntry[]> => {
    if (!this.isViewerOpen && !this.isComparing) return this.selection.entries();
    if (!this.isViewerOpen) return this.comparison.current ? [this.comparison.current] : [];
    // The picture of another folder is not a target in this one.
    return this.viewer.position && this.#isShownHere ? [this.viewer.position.entry] : [];
  };

  /** Returns the places of the pictures among the targets, and the number of all targets. */
  readonly #pictureTargets = async () => {
    const { folder } = this;
    const targets = await this.targets();
    const pictures = targets.filter(({ kind }) => kind === "picture").map((entry) => placeOfEntry(folder, entry));
    return { pictures, files: targets.length };
  };

  /** Returns the address of a picture of the folder, or of the folder itself, with its display options. */
  addressOf(view: EncodedPath | null, other: Showing = {}): string {
    return picturesAddress(this.root, this.path, view, { ...this.#showing, ...other });
  }

  readonly open = (entry: FolderEntry): void => this.#openAddress(entryAddress(this.root, this.path, entry, this.#showing));

  /** Opens the folder of the focused entry. */
  readonly openOwnFolder = (): void => {
    const { focused } = this.selection;
    const address = focused && ownFolderAddress(this.listing, focused);
    if (focused && address === null) this.props.host.toast(t("filter.lies_here"));
    this.#openAddress(address);
  };

  /** Shows a picture in the viewer, in place of the current one. */
  show(entry: FolderEntry): Promise<boolean> {
    return this.#replaceAddress(encodeName(entry));
  }

  /** Opens the file in the viewer with the desktop's program; null in a browser. */
  get openExternally(): (() => void) | null {
    return this.#external.isInWindow ? () => void (this.file && this.#external.openFile(this.file)) : null;
  }

  /** Passes files to the program on which their drag is dropped. */
  readonly drag = (link: string, files: readonly FilePlace[]): void => {
    void this.#external.drag(link, files);
  };

  /** Shows the next file of the picture, which may have several. */
  readonly showNextFile = (): void => {
    const { picture, file } = this;
    const to = picture && file && nextFile(picture, file);
    if (to) void this.show(to);
  };

  /** Returns the address of a picture of those that the viewer goes through. */
  readonly addressOfPicture = ({ folder, entry }: SequencePicture): string => {
    if (this.tour === null) return this.addressOf(encodeName(entry));
    const among = { found: this.found ?? undefined, album: this.album ?? undefined, gallery: this.gallery ?? undefined };
    return picturesAddress(folder.root, folder.path, encodeName(entry), among);
  };

  /** Shows the picture at an index of those that the viewer goes through. */
  readonly showAt = (index: number): void => {
    const picture = this.pictures.at(index);
    if (picture) void this.#showPicture(picture);
  };

  readonly step = (by: 1 | -1): void => {
    if (this.tour !== null) {
      void this.#stepFound(by);
      return;
    }
    const to = this.viewer.neighbour(by);
    if (to !== null) this.showAt(to);
  };

  readonly closeViewer = async (): Promise<void> => {
    if (this.gallery) await leaveGallery(this.gallery, this.props.host);
    else if (this.tour !== null) await leaveGallery({ page: tourAddress(this.tour) }, this.props.host);
    else if (!this.viewer.isAfterGrid || !this.props.host.goBack()) await this.#replaceAddress(null);
  };

  setFilter(filter: Filter): Promise<boolean> {
    return this.#replaceAddress(this.view, { filter });
  }

  /** The query as it is edited: an album has its name, and in the address its id. */
  get searchText(): string | null {
    return this.results === null ? null : withAlbumName(this.results, this.savedSearch.album);
  }

  /** Shows the results of another search. */
  setSearch(text: string): Promise<boolean> {
    return this.#replaceAddress(null, { results: withAlbumId(text, this.savedSearch.album) });
  }

  setGroup(group: Grouping): Promise<boolean> {
    if (group !== "folder") this.props.ongrouping(group);
    return this.#replaceAddress(this.view, { group });
  }

  toggleFilterBar(): void {
    sessionMemory.isFilterBarShown = this.#isFilterBarShown = !this.#isFilterBarShown;
  }

  startComparison(): Promise<void> {
    return this.comparison.start(this.selection, this.props.host, () => !this.#isDisposed && !this.isViewerOpen);
  }

  readonly endComparison = (): void => {
    this.comparison.end();
    this.focusGrid();
  };

  /** Moves the targets to the trash. The viewer moves on to the next picture, and a comparison to the remaining ones. */
  readonly moveToTrash = async (): Promise<void> => {
    if (this.isComparing) await this.#trashCompared();
    else if (this.isViewerOpen) await this.#trashInViewer();
    else await this.files.moveToTrash();
  };

  /** Closes the dialogs and the comparison, which belong to one folder. */
  closeDialogs(): void {
    this.files.close();
    this.marks.close();
    this.description.close();
    this.albums.close();
    this.savedSearch.close();
    this.comparison.end();
  }

  #updateSelection(): void {
    const { listing } = this;
    void [listing.version, listing.state];
    untrack(() => this.selection.shows(listing));
  }

  /** Updates the entries of the open dialog and of the comparison. */
  #updateOpenEntries(): void {
    const { listing } = this;
    void listing.version;
    if (untrack(() => !this.isComparing && this.marks.dialog === null)) return;
    const current = [...listing.loadedEntries, ...this.selection.now.values()];
    untrack(() => [this.comparison, this.marks].forEach((one) => one.update(current)));
  }

  /** Records a visit. Called once for the folder, even if its order or filter changes. */
  #visit(folder: FilePlace): () => void {
    const stops = untrack(() => [this.props.onshown(folder), this.hashes.follow(folder)]);
    return () => stops.forEach((stop) => stop?.());
  }

  /**
   * The listing is more recent than the list of roots: a folder that was read is available, and one that failed may
   * have gone with its root.
   */
  #checkRoot(): void {
    const news = this.#isRootAvailable ? "failed" : "ready";
    if (this.listings.requested.state === news) this.props.roots.renew();
  }

  /** Focuses the last viewed picture once the viewer is closed, and selects it unless several are selected. */
  #changeView(view: EncodedPath | null): void {
    const index = this.viewer.change(view);
    if (index === null) return;
    this.focusGrid(index);
    if (this.selection.count === 1) this.selection.only(index);
  }

  #isCurrent(folder: FilePlace): boolean {
    return !this.#isDisposed && isSamePlace(folder, this.folder);
  }

  /** Applies new names. A picture in the viewer stays there under its new name. */
  readonly #onrenamed = async (folder: FilePlace, names: ReadonlyMap<EncodedPath, EncodedPath>): Promise<void> => {
    if (!this.#isCurrent(folder)) return;
    for (const one of [this.listings, this.selection, this.comparison]) one.renamed(names);
    this.#foundPictures.renamed(folder, names);
    const picture = this.viewer.position && encodeName(this.viewer.position.entry);
    // Another file of the picture has taken its new name, too.
    const to = this.view === null ? undefined : (names.get(this.view) ?? names.get(picture ?? this.view));
    if (to === undefined) return;
    const { filter } = this;
    // Without this the filter would exclude the renamed picture.
    const text = fold(readableSegment(lastSegment(to))).includes(fold(filter.text)) ? filter.text : "";
    await this.#replaceAddress(to, { filter: { ...filter, text } });
  };

  readonly #onmarked = (folder: FilePlace, marks: ReadonlyMap<EncodedPath, Marks>): void => {
    if (!this.#isCurrent(folder)) return;
    for (const one of [this.listings, this.selection, this.comparison]) one.marked(marks);
  };

  /** Goes to the next picture after a rating, if the user wants that. */
  readonly #goOn = (): void => {
    if (!this.advance.isOn) return;
    if (this.isViewerOpen) this.step(1);
    else this.comparison.goOn();
  };

  async #trashCompared(): Promise<void> {
    const [entries, folder] = [await this.targets(), this.folder];
    if (!(await this.files.moveToTrash({ folder, entries })) || !this.#isCurrent(folder) || !this.isComparing) return;
    this.comparison.remove(entries);
    if (!this.isComparing) this.endComparison();
  }

  async #trashInViewer(): Promise<void> {
    const { folder, view, pictures, pictureIndex } = this;
    const { position, trash } = this.viewer;
    if (position === null || !this.#isShownHere) return;
    const { entry } = position;
    const moveToTrash = async () => {
      const isDone = await this.files.moveToTrash({ folder, entries: [entry] });
      if (isDone) for (const file of viewableFiles(entry)) this.#foundPictures.remove(folder, encodeName(file));
      return isDone;
    };
    const goOn = async (to: SequencePicture | null) => {
      if (this.#isCurrent(folder) && this.view === view) await (to ? this.#showPicture(to) : this.closeViewer());
    };
    await this.listings.gate.hold(() => trash.moveToTrash(pictures, { folder, entry }, pictureIndex, moveToTrash, goOn));
  }

  async #stepFound(by: 1 | -1): Promise<void> {
    const { view } = this;
    const from = this.#foundIndex;
    if (from < 0) return;
    // The next results may still be on their way.
    const to = this.pictures.at(from + by) ? from + by : await this.pictures.adjacent(from, by);
    if (to !== null && this.view === view && !this.#isDisposed) this.showAt(to);
  }

  #showPicture(picture: SequencePicture): Promise<boolean> {
    return this.props.host.navigate(this.addressOfPicture(picture), { replace: true });
  }

  #openAddress(address: string | null): void {
    if (address !== null) void this.props.host.navigate(address);
  }

  #replaceAddress(view: EncodedPath | null, other?: Showing): Promise<boolean> {
    return this.props.host.navigate(this.addressOf(view, other), { replace: true });
  }
}

/** The address of the pictures that are gone through. */
function tourAddress(tour: Tour): string {
  return tour.kind === "search" ? searchAddress({ query: tour.query }) : albumAddress(tour.id);
}
