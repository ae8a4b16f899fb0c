interface Provider {
  hosts: readonly string[];
  /** Finds the video's id in the path of its page, short link or player. */
  id: RegExp;
  page: string;
  player: string;
}

// youtube-nocookie.com sets no cookie before the video plays.
const providers: readonly Provider[] = [
  {
    hosts: ["youtube.com", "m.youtube.com", "youtube-nocookie.com", "youtu.be"],
    id: /^\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/)?([\w-]{11})(?:[?&#/]|$)/,
    page: "https://www.youtube.com/watch?v=",
    player: "https://www.youtube-nocookie.com/embed/",
  },
  {
    hosts: ["vimeo.com", "player.vimeo.com"],
    id: /^\/(?:video\/)?(\d{4,12})(?:[?#/]|$)/,
    page: "https://vimeo.com/",
    player: "https://player.vimeo.com/video/",
  },
];

export function videoAt(address: string): { page: string; player: string } | undefined {
  const parts = /^(?:https?:)?\/\/(?:www\.)?([^/?#]+)(.*)$/i.exec(address.trim());
  const provider = providers.find(({ hosts }) => hosts.includes(parts?.[1]?.toLowerCase() ?? ""));
  const id = provider?.id.exec(parts?.[2] ?? "")?.[1];
  return provider && id ? { page: provider.page + id, player: provider.player + id } : undefined;
}
