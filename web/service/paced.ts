/** Something that is wished for often, and done now and then. */
interface Paced {
  /** Has it done at once, or, where it was done less than `pause` milliseconds ago, as soon as they are over. */
  wish(pause: number): void
  /** Does it now where it is still wished for. */
  flush(): void
  /** Forgets what is wished for. */
  stop(): void
}

export function createPaced(act: () => void): Paced {
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | null = null

  function run() {
    timer = null
    last = performance.now()
    act()
  }

  function stop() {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  return {
    wish(pause) {
      if (timer === null) timer = setTimeout(run, Math.max(0, last + pause - performance.now()))
    },
    flush() {
      if (timer === null) return
      stop()
      run()
    },
    stop,
  }
}
