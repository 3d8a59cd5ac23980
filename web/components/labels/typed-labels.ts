export interface TypedLabels {
  experiment: string
  tags: string
  note: string
}

export function readTags(text: string): string[] {
  const words = text.split(',').map((tag) => tag.trim())
  return [...new Set(words.filter((tag) => tag !== ''))]
}

export function writeTags(tags: readonly string[]): string {
  return tags.join(', ')
}
