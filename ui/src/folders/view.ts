// The folders of pictures, as a view.
import Image from "@lucide/svelte/icons/image";
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
