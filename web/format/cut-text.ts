export function cutText(text: string, { characters, lines }: { characters: number; lines: number }): string {
  const piece = text.slice(0, characters)
  let end = -1
  for (let line = 0; line < lines; line += 1) {
    end = piece.indexOf('\n', end + 1)
    if (end === -1) return piece
  }
  return piece.slice(0, end)
}
