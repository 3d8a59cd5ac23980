/** The used subset of jstat 1.9.6; the package ships no types. */
declare module 'jstat' {
  interface JStat {
    studentt: { inv(probability: number, degreesOfFreedom: number): number }
    normal: { inv(probability: number, mean: number, deviation: number): number }
  }

  const jstat: JStat
  export = jstat
}
