import { EspalierError } from '../contracts/errors.ts'

/**
 * Loads code that needs packages which may be absent: they are megabytes that most installations never use. A service without
 * them starts and plays everything else.
 *
 * @param packages - what the code needs
 * @param use - what needs it, as the subject of a sentence
 * @param load - imports the code, by a literal name, so that bundlers find it
 * @throws EspalierError `not_supported` that names the packages and how they are installed
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

/** Node names the package that it does not find; others who import name the path in it too. */
function isAbsent(error: unknown, name: string): boolean {
  const isMissing = error instanceof Error && Reflect.get(error, 'code') === 'ERR_MODULE_NOT_FOUND'
  return isMissing && [`'${name}'`, `'${name}/`].some((quoted) => error.message.includes(quoted))
}
