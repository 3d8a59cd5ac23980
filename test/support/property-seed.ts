import fc from 'fast-check'

/** Properties try the same inputs each time. `PROPERTY_SEED=random npm test` looks for others; a failure prints its seed. */
const { PROPERTY_SEED: seed = '1' } = process.env
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
