import fc from 'fast-check'

const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
/** Edges with any number of visits, any mean from 0 to 1 and any prior. */
export const edges = fc.integer({ min: 0, max: 1000 }).chain((visits) =>
  fc.record({
    visits: fc.constant(visits),
    value_sum: share.map((mean) => visits * mean),
    prior: share,
  }),
)
