import { expect, test } from "vitest";
import { videoAt } from "@/lib/content/embeds";

const youtube = {
  page: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  player: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
};

test.each([
  "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=10s",
  "http://m.youtube.com/watch?app=m&v=dQw4w9WgXcQ",
  "//youtube.com/embed/dQw4w9WgXcQ?rel=0",
  "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
  "https://youtu.be/dQw4w9WgXcQ?si=x",
  "https://youtube.com/shorts/dQw4w9WgXcQ",
])("%s is a video of YouTube", (address) => {
  expect(videoAt(address)).toEqual(youtube);
});

test.each(["https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?h=1"])(
  "%s is a video of Vimeo",
  (address) => {
    expect(videoAt(address)).toEqual({
      page: "https://vimeo.com/76979871",
      player: "https://player.vimeo.com/video/76979871",
    });
  },
);

test.each([
  "https://youtube.com.example.com/watch?v=dQw4w9WgXcQ",
  "https://example.com/?https://youtu.be/dQw4w9WgXcQ",
  "https://www.youtube.com/@channel",
  "https://youtu.be/dQw4w9WgXcQQ",
  "javascript://youtu.be/dQw4w9WgXcQ",
  "/watch?v=dQw4w9WgXcQ",
])("%s is no video that may be shown", (address) => {
  expect(videoAt(address)).toBeUndefined();
});
