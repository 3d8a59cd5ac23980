import { existsSync } from 'node:fs'
import { appendFile, cp, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkpointMarker } from '../program/program-files.ts'
import { readToolLine, type ToolLine } from './tool-lines.ts'

/** Seconds of silence after which the clock is written to disk: a crash loses no more paid time than this. */
const clockEvery = 5
const mostBytes = 1_048_576

export class CommandProgress {
  readonly #options: CommandProgressOptions
  readonly #begun = performance.now()
  #written = 0
  #read = 0
  #lost = false
  #failure: Error | null = null
  #work: Promise<void> = Promise.resolve()

  constructor(options: CommandProgressOptions) {
    this.#options = options
  }

  /** True after a non-finite loss. The command would continue with a spoilt model. */
  get isLost(): boolean {
    return this.#lost
  }

  get failure(): Error | null {
    return this.#failure
  }

  line(text: string): void {
    const found = readToolLine(text) ?? this.#options.read?.(text) ?? null
    if (found !== null) this.add(found)
  }

  add(line: ToolLine): void {
    this.#queue(() => this.#append(line))
  }

  async collect(): Promise<void> {
    for (;;) {
      const lines = await this.#readFile()
      if (lines === null) break
      for (const text of lines) this.line(text)
    }
    const now = this.#seconds()
    if (now - this.#written > clockEvery) this.#queue(() => this.#write({ event: 'clock' }))
    await this.#work
  }

  #queue(write: () => Promise<void>): void {
    this.#work = this.#work.then(write).catch((error: unknown) => {
      this.#failure ??= error instanceof Error ? error : new Error(String(error))
    })
  }

  async #append(line: ToolLine): Promise<void> {
    if (line.event === 'failed' && line.reason === 'not_finite') this.#lost = true
    if (line.event === 'checkpoint') {
      const folder = join(this.#options.output, `checkpoint-${line.step}`)
      if (line.folder !== '') await gather([line.folder, ...line.beside], folder)
      if (!existsSync(folder)) return
      await writeFile(join(folder, checkpointMarker), JSON.stringify({ step: line.step }))
    }
    const { output } = this.#options
    await this.#write(
      line.event === 'succeeded' ? { ...line, folder: resolve(output, line.folder ?? '.') } : line,
    )
  }

  async #write(line: ToolLine | { event: 'clock'; seconds?: number }): Promise<void> {
    this.#written = this.#seconds()
    const seconds = line.seconds ?? this.#written
    await appendFile(this.#options.progress, `${JSON.stringify({ ...line, seconds })}\n`)
  }

  async #readFile(): Promise<string[] | null> {
    const { reported } = this.#options
    const size = await stat(reported).then(
      (facts) => facts.size,
      () => 0,
    )
    if (size <= this.#read) return null
    const file = await open(reported)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, this.#read)
      const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1
      if (end === 0) return null
      this.#read += end
      return buffer.toString('utf8', 0, end).split('\n')
    } finally {
      await file.close()
    }
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1000
  }
}

async function gather(from: readonly string[], folder: string): Promise<void> {
  if (existsSync(folder) || !from.every((each) => existsSync(each))) return
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  for (const each of from) await cp(each, partial, { recursive: true })
  await rename(partial, folder)
}

export interface CommandProgressOptions {
  progress: string
  reported: string
  output: string
  read: ((line: string) => ToolLine | null) | null
}
