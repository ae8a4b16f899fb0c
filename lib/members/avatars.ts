/** An SVG with initials. The same seed always gives the same color. */
export function drawnAvatar(name: { firstName: string; lastName: string }, seed: string): string {
  const initials = [name.firstName, name.lastName]
    .map((part) => Array.from(part.trim())[0]?.toUpperCase() ?? "")
    .join("");
  let hue = 0;
  for (const character of seed) hue = (hue * 31 + character.charCodeAt(0)) % 360;
  const text = initials.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
  // This lightness keeps white text readable on every hue.
  return `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128"><rect width="128" height="128" fill="hsl(${hue} 45% 32%)"/><text x="64" y="64" dy=".36em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="52" font-weight="600" fill="#fff">${text}</text></svg>`;
}

export function picturePath(member: { id: string; pictureUploadId: string | null }): string {
  return member.pictureUploadId ? `/uploads/${member.pictureUploadId}` : `/avatars/${member.id}.svg`;
}
