// The folders of pictures and the tags of all pictures, as views.
import Image from "@lucide/svelte/icons/image";
import { DUPLICATES_ADDRESS, parseDuplicatesAddress } from "../api/addresses/duplicates-address";
import { parsePictureTagsAddress, PICTURE_TAGS_ADDRESS } from "../api/addresses/picture-tags-address";
import { defineView, once } from "../view/definition";
import { parsePicturesAddress } from "./query/address";

export const loadFolders = once(() => import("."));

export const pictures = defineView({
  addresses: ["/pictures/*"],
  title: "folders.title",
  section: "pictures",
  parse: parsePicturesAddress,
  command: { id: "go-pictures", label: "folders.go", key: "Alt+2", address: "/pictures/" },
  activity: { icon: Image, at: "start" },
  load: loadFolders,
});

const loadPictureTags = once(() => import("./tags/PictureTagsView.svelte"));

export const pictureTags = defineView({
  addresses: [PICTURE_TAGS_ADDRESS],
  title: "tags.title",
  section: "pictures",
  parse: parsePictureTagsAddress,
  command: { id: "go-picture-tags", label: "tags.go", key: "Mod+Alt+t", address: PICTURE_TAGS_ADDRESS },
  load: loadPictureTags,
});

const loadDuplicates = once(() => import("./duplicates/DuplicatesView.svelte"));

export const duplicates = defineView({
  addresses: [`${DUPLICATES_ADDRESS}*`],
  title: "duplicates.title",
  section: "pictures",
  parse: parseDuplicatesAddress,
  visit: ({ folder }) => (folder === null ? "" : `${folder.root}/${folder.path}`),
  command: { id: "go-duplicates", label: "duplicates.go", key: "Alt+Shift+d", address: DUPLICATES_ADDRESS },
  load: loadDuplicates,
  component: (code) => code.default,
});
