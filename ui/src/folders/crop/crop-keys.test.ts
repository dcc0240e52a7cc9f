// The keys of the view of a folder while a picture is cropped.
import { screen, waitFor } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, it } from "vitest";
import { FolderVisit } from "../../testing/folder-visit";

it("numbers do not rate during a crop", async () => {
  const { backend, host, ...visit } = await openViewer();
  await host.press("e");
  await screen.findByTestId("crop-size");
  await expect(host.press("3")).rejects.toThrow("nothing answers");
  await expect(host.press("x")).rejects.toThrow("nothing answers");
  await host.press("Escape");
  await tick();
  expect(visit.address()).toContain("view=a.jpg");
  await host.press("3");
  await waitFor(() => expect(backend.sent("POST /api/files/marks")).toMatchObject([{ body: { rating: 3 } }]));
});

async function openViewer() {
  const visit = new FolderVisit([{ name: "a.jpg", kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", id: "A", width: 300, height: 200 }]);
  await visit.open("/pictures/R1/?view=a.jpg");
  await screen.findByTestId("viewer");
  return { backend: visit.backend, host: visit.host, address: () => visit.address };
}
