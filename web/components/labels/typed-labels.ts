/** Labels as they are typed: tags are one text, with commas between them. */
export interface TypedLabels {
  experiment: string
  tags: string
  note: string
}

/** The tags of a typed text, each once. */
export function readTags(text: string): string[] {
  const words = text.split(',').map((tag) => tag.trim())
  return [...new Set(words.filter((tag) => tag !== ''))]
}

export function writeTags(tags: readonly string[]): string {
  return tags.join(', ')
}
