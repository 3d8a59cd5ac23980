/** What browsers, and the loader of the pages' styles, say of a part of a page that they could not fetch. */
const words = [
  /^Unable to preload CSS/,
  /dynamically imported module/,
  /Importing a module script failed/,
  /is not a valid JavaScript MIME type/,
]

/** Whether an error says that a part of the page could not be loaded: often one of an older version, which the service has no longer. */
export function isLostPart(error: unknown): boolean {
  return error instanceof Error && words.some((each) => each.test(error.message))
}
