/** A text of at most so many characters, with a sign where the rest is left out; no character is cut in two. */
export function shorten(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
