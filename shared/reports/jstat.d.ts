/** The used subset of jstat 1.9.6; the package ships no types. */
declare module 'jstat' {
  interface JStat {
    /** The Student-t distribution; `inv` is its quantile function. */
    studentt: { inv(probability: number, degreesOfFreedom: number): number }
    /** The normal distribution; `inv` is its quantile function. */
    normal: { inv(probability: number, mean: number, deviation: number): number }
  }

  const jstat: JStat
  export = jstat
}
