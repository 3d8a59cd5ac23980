/** Does so many things at once, and gives what comes of them in the order of the items. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  try {
    for (const item of items) {
      const next = work(item)
      // One that fails before its turn is not yet listened to.
      next.catch(() => undefined)
      running.push(next)
      if (running.length >= atOnce) yield (await running.shift()) as Result
    }
    while (running.length > 0) yield (await running.shift()) as Result
  } finally {
    await Promise.allSettled(running)
  }
}
