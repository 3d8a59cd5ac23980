/** Times of day and dates, as clocks on the screen show them. */
const clock =
  /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+(?:\d{1,2}\s+\w+|\w+\s+\d{1,2})(?:,?\s+\d{4})?/g

/** A table of the screen without what clocks show. */
export function maskClocks(table: string): string {
  return table.replace(clock, '…')
}
