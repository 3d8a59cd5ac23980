/** How far a command that needs something from outside is tried here. */
export type Tried =
  /** Commander takes its words; what it would do is not done. */
  | 'parsed'
  /** It runs whole, over tools that record their calls to the account. */
  | 'recorded tools'
  /** It is a script of package.json that .ci/run runs. */
  | 'by .ci/run'
  /** It is a script of package.json. */
  | 'script'
  /** What it names of the repository is there. */
  | 'files'

/** What cannot be run here: how its commands begin, why, and how far they are tried. */
export const outside: readonly { begins: string; reason: string; tried: Tried }[] = [
  { begins: 'npm run deploy', reason: 'needs an AWS account and Docker', tried: 'recorded tools' },
  {
    begins: 'espalier verify',
    reason:
      'needs the folder for itself, and the service of the page holds it; test/cli/verify.test.ts runs it',
    tried: 'parsed',
  },
  {
    begins: 'espalier backup /backups/monday --world',
    reason: 'needs a PostgreSQL database; test/cluster/backup.test.ts runs it',
    tried: 'parsed',
  },
  {
    begins: 'espalier restore /backups/monday --world',
    reason: 'needs a PostgreSQL database; test/cluster/backup.test.ts runs it',
    tried: 'parsed',
  },
  {
    begins: 'espalier serve --world',
    reason: 'needs a PostgreSQL database; test/cluster runs it',
    tried: 'parsed',
  },
  {
    begins: 'espalier workers render',
    reason: 'reads a file of yours; test/cli/workers and test/cluster render and run one',
    tried: 'parsed',
  },
  {
    begins: 'espalier worker --world',
    reason: 'needs a PostgreSQL database; test/cluster runs it',
    tried: 'parsed',
  },
  {
    begins: 'espalier worker --join',
    reason: 'needs a service elsewhere; test/cluster/joined-play.test.ts joins one',
    tried: 'parsed',
  },
  { begins: 'npm run destroy', reason: 'needs an AWS account', tried: 'recorded tools' },
  {
    begins: 'aws secretsmanager create-secret',
    reason: 'needs an AWS account and its command',
    tried: 'files',
  },
  {
    begins: 'npm run espalier -- data add alfworld ~/alfworld/json_2.1.1 --stage dev',
    reason: 'writes into the bucket of a deployment',
    tried: 'parsed',
  },
  {
    begins: 'npm run -s espalier -- keys create --stage dev',
    reason: 'writes into the table of a deployment',
    tried: 'parsed',
  },
  {
    begins: 'npm run canary',
    reason: 'needs a deployment; npm test -- --project aws runs it on one over emulators',
    tried: 'script',
  },
  {
    begins: 'npm run -s espalier -- worker --stage dev',
    reason: 'plays the episodes of a deployment',
    tried: 'parsed',
  },
  { begins: 'export ESPALIER_URL=https://', reason: 'is for a deployment', tried: 'files' },
  {
    begins: 'npm run sites',
    reason: 'serves until it is stopped; test/containers/sites starts it',
    tried: 'script',
  },
  {
    begins: 'espalier data fetch miniwob',
    reason: 'downloads from the network',
    tried: 'parsed',
  },
  {
    begins: 'espalier run --environment miniwob',
    reason: 'needs the pages and a Chromium; npm test -- --project browser plays it',
    tried: 'parsed',
  },
  {
    begins: 'espalier environments install desktop',
    reason: "needs Debian's programs for desktops, and installs packages from PyPI",
    tried: 'parsed',
  },
  {
    begins: 'espalier run --environment desktop',
    reason: 'needs a desktop; npm test -- --project desktop plays it',
    tried: 'parsed',
  },
  {
    begins: 'espalier data add osworld',
    reason: "needs OSWorld's files",
    tried: 'parsed',
  },
  {
    begins: 'espalier run --environment osworld',
    reason: "needs a desktop, OSWorld's files and a model; npm test -- --project desktop plays such tasks",
    tried: 'parsed',
  },
  {
    begins: 'espalier run --environment sites',
    reason: 'needs a Chromium; npm test -- --project browser plays it',
    tried: 'parsed',
  },
  {
    begins: 'pip install',
    reason: 'installs into a Python of yours; npm test -- --project python builds and installs the package',
    tried: 'files',
  },
  {
    begins: 'espalier methods validate ./greedy.py',
    reason: 'needs pydantic; npm test -- --project python plays methods of files',
    tried: 'parsed',
  },
  {
    begins: 'espalier run --environment textcraft --method ./greedy.py',
    reason: 'needs pydantic; npm test -- --project python plays methods of files',
    tried: 'parsed',
  },
  { begins: 'espalier data fetch webshop', reason: 'downloads from the network', tried: 'parsed' },
  {
    begins: 'espalier run --environment scienceworld',
    reason: 'needs Java and the simulator; npm test -- --project scienceworld plays it',
    tried: 'parsed',
  },
  {
    begins: 'ESPALIER_PYTHON=~/scienceworld/bin/python espalier run',
    reason: 'needs Java and the simulator; npm test -- --project scienceworld plays it',
    tried: 'parsed',
  },
  {
    begins: 'python3 -m venv ~/scienceworld',
    reason: 'installs from PyPI; npm test -- --project scienceworld does the same',
    tried: 'files',
  },
  {
    begins: 'espalier loop ',
    reason:
      'trains models, which takes a trainer and time; test/learn/loops plays loops over real runs and datasets',
    tried: 'parsed',
  },
  { begins: 'espalier loops', reason: 'needs a loop, which trains models', tried: 'parsed' },
  {
    begins: 'espalier trainers install',
    reason: 'installs from PyPI; npm test -- --project trainers does the same',
    tried: 'parsed',
  },
  { begins: 'espalier trainers doctor', reason: 'needs what is installed from PyPI', tried: 'parsed' },
  {
    begins: 'espalier train DATASET',
    reason: 'needs the trainer and a model; npm test -- --project trainers trains',
    tried: 'parsed',
  },
  { begins: 'espalier trainings TRAINING', reason: 'needs a training', tried: 'parsed' },
  { begins: 'espalier trainings resume TRAINING', reason: 'needs a training', tried: 'parsed' },
  { begins: 'npm run check', reason: 'runs steps of .ci/run, which run beside this', tried: 'script' },
  { begins: 'npm test', reason: 'is what runs beside this', tried: 'by .ci/run' },
  { begins: 'npm run typecheck', reason: 'is what runs beside this', tried: 'by .ci/run' },
  { begins: 'npm run lint', reason: 'is what runs beside this', tried: 'by .ci/run' },
  { begins: 'npm run build:web', reason: 'would replace the page that others test', tried: 'script' },
  { begins: 'npm run bench', reason: 'takes many minutes and asserts nothing', tried: 'script' },
  { begins: 'npm run audit', reason: 'is what runs beside this', tried: 'by .ci/run' },
  { begins: 'npm run house', reason: 'prints figures; a test holds their limits', tried: 'script' },
  { begins: 'npm run chaos', reason: 'is what runs beside this', tried: 'by .ci/run' },
  { begins: 'npm run first-minutes', reason: 'is what runs beside this', tried: 'by .ci/run' },
  {
    begins: 'npm run demo:loop',
    reason: 'installs from PyPI and trains models; npm test -- --project loop makes its rounds, smaller',
    tried: 'script',
  },
  {
    begins: 'npm run demo:rl',
    reason: 'installs from PyPI and trains models; npm test -- --project loop makes its rounds, smaller',
    tried: 'script',
  },
  { begins: 'npm run synth', reason: 'is what runs beside this', tried: 'by .ci/run' },
]
