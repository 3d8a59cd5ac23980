/**
 * The service's variables that programs see: those they need to run, and none that may be a key. Programs are
 * environments, methods and scorers in Python, trainers, servers of models, and installers.
 */
const usual = [
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'SystemRoot',
  'LD_LIBRARY_PATH',
  'JAVA_HOME',
  'PYTHONPATH',
  'PYTHONUNBUFFERED',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'CUDA_VISIBLE_DEVICES',
  'OMP_NUM_THREADS',
  'NODE_COMPILE_CACHE',
  'ESPALIER_PYTHON',
  'ESPALIER_CACHE',
  'ESPALIER_JAVA_OPTIONS',
]

/** Names further variables that every program sees, separated by commas. */
export const passedVariable = 'ESPALIER_PROGRAM_VARIABLES'

/** Names that a pattern never takes: they may hold keys. */
const mayBeKey = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i

export function programVariables(
  more: readonly (string | RegExp)[] = [],
  variables: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const passed = (variables[passedVariable] ?? '').split(',').map((name) => name.trim())
  const named = new Set([...usual, ...more, ...passed])
  const patterns = more.filter((each) => each instanceof RegExp)
  const isSeen = (name: string) =>
    named.has(name) || (!mayBeKey.test(name) && patterns.some((pattern) => pattern.test(name)))
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value !== undefined && isSeen(name) ? [[name, value]] : [],
    ),
  )
}

export const installerVariables = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...[
    'PIP_INDEX_URL',
    'PIP_EXTRA_INDEX_URL',
    'PIP_CERT',
    'PIP_CONFIG_FILE',
    'PIP_CACHE_DIR',
    'PIP_TRUSTED_HOST',
  ],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE'],
]
