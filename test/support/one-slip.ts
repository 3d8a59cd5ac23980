import fc from 'fast-check'

const slips = ['swap', 'drop', 'double', 'replace'] as const

/** Types one letter of a name wrong, as hands do: never the first, and never into the name itself. */
export function oneSlip(name: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: 1, max: Math.max(1, name.length - 2) }), fc.constantFrom(...slips))
    .map(([at, slip]) => {
      const one = name[at] ?? ''
      const two = name[at + 1] ?? ''
      const middle = { swap: two + one, drop: two, double: one + one + two, replace: `q${two}` }[slip]
      return name.slice(0, at) + middle + name.slice(at + 2)
    })
    .filter((slipped) => slipped !== name)
}
