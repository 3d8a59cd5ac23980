/** Where a build keeps what it needs until it has ended. */
export function workPrefix(dataset: string): string {
  return `datasets/${dataset}/parts/`
}

/**
 * The keys of one plan, and of what was collected by it. Each plan has a folder of its own, and each collecting of a part a
 * name of its own, so that workers who race never mix what they wrote.
 */
export function partKeys(dataset: string, plan: string) {
  const folder = `${workPrefix(dataset)}${plan}`
  return {
    plan: `${folder}/plan.json`,
    planPart: (part: number) => `${folder}/${pad(part)}-plan.json.gz`,
    tasks: (part: number, writer: string) => `${folder}/${pad(part)}-${writer}-tasks.json.gz`,
    rows: (part: number, writer: string, piece: number) =>
      `${folder}/${pad(part)}-${writer}-${pad(piece)}.rows`,
  }
}

function pad(number: number): string {
  return String(number).padStart(6, '0')
}
