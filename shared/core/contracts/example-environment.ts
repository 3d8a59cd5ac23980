/** The environment of examples, benches and the quickstart: pure, small, and played without data. */
export const exampleEnvironment = 'textcraft'
