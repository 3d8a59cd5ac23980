import type { Reporter, TestSpecification, Vitest } from 'vitest/node'

/** Milliseconds between two lines. */
const pause = 10_000

/** Prints how many test files are left, every few seconds. */
export class FilesLeft implements Reporter {
  #log: (line: string) => void = () => undefined
  #all = 0
  #ended = 0
  #last = 0

  onInit(vitest: Vitest): void {
    this.#log = (line) => vitest.logger.log(line)
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#all = files.length
    this.#ended = 0
    this.#last = performance.now()
  }

  onTestModuleEnd(): void {
    this.#ended += 1
    const now = performance.now()
    if (now - this.#last < pause) return
    this.#last = now
    this.#log(` ${this.#all - this.#ended} of ${this.#all} test files left`)
  }
}
