import { openRowFile } from '../../../shared/data/datasets/open-row-file.ts'
import { openTokenizer } from '../../../shared/data/datasets/tokens/open-tokenizer.ts'
import { findFormat } from '../../../shared/data/formats/formats.ts'

/** Writes one row in each container, says what a format's YAML begins with, and counts tokens. */
export async function handler(text: string) {
  const row = JSON.stringify({
    type: 'conversation',
    messages: [{ role: 'user', content: text, weight: null }],
  })
  const sizes: Record<string, number> = {}
  for (const container of ['jsonl', 'json', 'parquet'] as const) {
    const file = openRowFile({ container })
    await file.add(row)
    sizes[container] = (await file.end()).bytes
  }
  const facts = { kind: 'sft', title: 'rows', files: { train: ['data-00001.jsonl.gz'] }, rows: 1 } as const
  const [yaml] = findFormat('axolotl').companions({ ...facts, files: { train: [...facts.files.train] } })
  const tokenizer = await openTokenizer('o200k_base')
  return { sizes, yaml: yaml?.text.split('\n')[1], tokens: tokenizer.ofText(text) }
}
