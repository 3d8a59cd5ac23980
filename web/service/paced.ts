interface Paced {
  /** Acts immediately, or `pause` milliseconds after the last action if that was more recent. */
  wish(pause: number): void
  flush(): void
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
