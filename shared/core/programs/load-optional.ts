import { EspalierError } from '../contracts/errors.ts'

/**
 * Loads code whose packages may be absent: most installations never use these megabytes. A service without them
 * starts and plays everything else.
 * @param packages - the required packages
 * @param use - the feature, as the subject of a sentence
 * @param load - imports the code, by a literal name, so that bundlers find it
 * @throws EspalierError `not_supported` that names the packages and how to install them
 */
export async function loadOptional<Module>(
  packages: readonly string[],
  use: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!packages.some((name) => isAbsent(error, name))) throw error
    throw new EspalierError(
      'not_supported',
      `${use} needs ${packages.join(' and ')}, which is not installed here. Install it: npm install ${packages.join(' ')}`,
    )
  }
}

/** Node names the missing package. Other importers include the path. */
function isAbsent(error: unknown, name: string): boolean {
  const isMissing = error instanceof Error && Reflect.get(error, 'code') === 'ERR_MODULE_NOT_FOUND'
  return isMissing && [`'${name}'`, `'${name}/`].some((quoted) => error.message.includes(quoted))
}
