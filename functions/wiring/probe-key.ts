/** The object that a deep check of health writes. */
export const probeKey = 'health/probe'
