export function workPrefix(dataset: string): string {
  return `datasets/${dataset}/parts/`
}

/**
 * The keys of one plan, and of its collected parts. Each plan has its own folder, and each collection of a part its
 * own name, so that racing workers never mix their objects.
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
