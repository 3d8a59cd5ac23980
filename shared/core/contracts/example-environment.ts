export const exampleEnvironment = 'textcraft'
