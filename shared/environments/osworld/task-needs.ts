import { z } from 'zod'
import { gettersOf, isInfeasible, type OsworldTask, setupsOf } from './task-file.ts'
import { filesOfTask } from './task-files.ts'

const otherNeeds = {
  debug_port: "Chrome's debug port",
  web: 'the web',
  google_account: 'a Google account',
  root: 'the rights of root',
  packages: 'packages that its set-up installs',
  gnome: "GNOME's shell",
  sound: 'a sound server',
  vlc_web: "VLC's web interface",
  metric: 'a metric that is left out',
} as const

const applications = {
  calc: 'LibreOffice Calc',
  writer: 'LibreOffice Writer',
  impress: 'LibreOffice Impress',
  gimp: 'GIMP',
  vlc: 'VLC',
  terminal: 'a terminal',
  files: 'a file manager',
  chrome: 'Chrome',
  thunderbird: 'Thunderbird',
  vscode: 'Visual Studio Code',
  pdf: 'a viewer of PDF files',
  editor: 'a text editor',
  totem: 'the video player of GNOME',
  picard: 'MusicBrainz Picard',
} as const

type Application = keyof typeof applications
type OtherNeed = keyof typeof otherNeeds

export const osworldNeedsSchema = z.object({
  applications: z.array(z.enum(Object.keys(applications) as [Application, ...Application[]])),
  files: z.array(z.string()),
  others: z.array(z.enum(Object.keys(otherNeeds) as [OtherNeed, ...OtherNeed[]])),
})

export type OsworldNeeds = z.infer<typeof osworldNeedsSchema>

const installed: ReadonlySet<Application> = new Set([
  'calc',
  'writer',
  'impress',
  'gimp',
  'vlc',
  'terminal',
  'files',
  'chrome',
])

const labels: Readonly<Record<string, readonly Application[]>> = {
  calc: ['calc'],
  libreofficecalc: ['calc'],
  writer: ['writer'],
  libreofficewriter: ['writer'],
  impress: ['impress'],
  libreofficeimpress: ['impress'],
  libreoffice: ['writer'],
  gimp: ['gimp'],
  image: ['gimp'],
  vlc: ['vlc'],
  os: ['terminal', 'files'],
  terminal: ['terminal'],
  chrome: ['chrome'],
  browser: ['chrome'],
  thunderbird: ['thunderbird'],
  vscode: ['vscode'],
  pdf: ['pdf'],
  ubuntumediaplayer: ['totem'],
  picard: ['picard'],
}

const programs: readonly (readonly [RegExp, Application])[] = [
  [/\bgoogle-chrome\b/, 'chrome'],
  [/\bthunderbird\b(?!-profile)/, 'thunderbird'],
  [/(?:^|&& |; )code\b/, 'vscode'],
  [/^(?:\/usr\/bin\/)?vlc\b/, 'vlc'],
  [/^gimp\b/, 'gimp'],
  [/^(?:libreoffice|soffice)\b.*--calc\b/, 'calc'],
  [/^(?:libreoffice|soffice)\b.*--writer\b/, 'writer'],
  [/^(?:libreoffice|soffice)\b.*--impress\b/, 'impress'],
  [/\bgnome-terminal(?!-server)\b|hotkey\('ctrl', 'alt', 't'\)/, 'terminal'],
  [/^nautilus\b/, 'files'],
]

const openers: Readonly<Record<string, Application>> = {
  xlsx: 'calc',
  xls: 'calc',
  ods: 'calc',
  csv: 'calc',
  docx: 'writer',
  doc: 'writer',
  odt: 'writer',
  pptx: 'impress',
  odp: 'impress',
  pdf: 'pdf',
  txt: 'editor',
  json: 'editor',
  mp4: 'vlc',
  mp3: 'vlc',
  png: 'gimp',
  jpg: 'gimp',
  xcf: 'gimp',
}

const webGetters = new Set([
  ...['active_url_from_accessTree', 'active_tab_html_parse', 'active_tab_info', 'active_tab_url_parse'],
  ...['open_tabs_info', 'url_dashPart', 'page_info', 'pdf_from_url', 'info_from_website'],
  'gotoRecreationPage_and_get_html_content',
])

/**
 * Unsupported metrics of OSWorld. They need gigabytes of packages or external models, or execute text from the
 * machine, which the agent controls, as code here.
 */
export const leftOutMetrics: ReadonlySet<string> = new Set([
  'check_gnome_favorite_apps',
  'check_python_file_by_test_suite',
  'compare_audios',
  'compare_image_text',
])

/**
 * Derives a task's needs from its file. For anything unstated it uses labels and words, and prefers too many needs to
 * too few. A task that names an address counts as one that needs the web, even if it does not.
 */
export function needsOfTask(task: OsworldTask): OsworldNeeds {
  const commands = commandsOf(task)
  const asked = new Set<Application>([
    ...task.related_apps.flatMap((label) => labels[label.toLowerCase().replace(/[ _]/g, '')] ?? []),
    ...programs
      .filter(([pattern]) => commands.some((command) => pattern.test(command)))
      .map(([, name]) => name),
    ...setupsOf(task).flatMap(({ type, parameters }) => (type === 'open' ? openerOf(parameters.path) : [])),
  ])
  const order = Object.keys(applications) as Application[]
  const others = Object.keys(otherNeeds) as OtherNeed[]
  return {
    applications: order.filter((name) => asked.has(name)),
    files: filesOfTask(task).map(({ url }) => url),
    others: others.filter((need) => tests[need](task, commands, asked)),
  }
}

const tests: Record<OtherNeed, (task: OsworldTask, commands: string[], asked: Set<Application>) => boolean> =
  {
    debug_port: (task, commands) =>
      commands.some((command) => /--remote-debugging-port|\bsocat\b/.test(command)) ||
      hasSetup(task, ['chrome_open_tabs', 'chrome_close_tabs', 'update_browse_history']),
    web: (task, commands, asked) =>
      hasGetter(task, webGetters) ||
      (!isInfeasible(task) && (asked.has('chrome') || /https?:\/\/|\binstall\b/i.test(task.instruction))) ||
      setupsOf(task).some(({ parameters }) =>
        /https?:/.test(JSON.stringify(parameters.urls_to_open ?? '')),
      ) ||
      commands.some((command) => /\bgit clone https?:/.test(command)),
    google_account: (task) =>
      hasSetup(task, ['googledrive', 'login']) || hasGetter(task, new Set(['googledrive_file'])),
    root: (task, commands) =>
      commands.some((command) => /\btimedatectl\b|\b(?:user|group)add\b|\badduser\b/.test(command)) ||
      (!isInfeasible(task) && /\bSSH user\b/i.test(task.instruction)),
    packages: (_task, commands) =>
      commands.some((command) => /\bpip3? install\b|\bapt(?:-get)? (?:-\S+ )*install\b/.test(command)),
    gnome: (_task, commands) => commands.some((command) => /\borg\.gnome\.shell\b/.test(command)),
    sound: (_task, commands) => commands.some((command) => /\bpactl\b|\bamixer\b/.test(command)),
    vlc_web: (task) => hasGetter(task, new Set(['vlc_playing_info'])),
    metric: ({ evaluator }) => [evaluator.func].flat().some((name) => leftOutMetrics.has(name)),
  }

function hasSetup(task: OsworldTask, types: readonly string[]): boolean {
  return setupsOf(task).some(({ type }) => types.includes(type))
}

function hasGetter(task: OsworldTask, types: ReadonlySet<string>): boolean {
  return gettersOf(task).some(({ type }) => types.has(type))
}

function commandsOf(task: OsworldTask): string[] {
  const given = [
    ...setupsOf(task).map(({ parameters }) => parameters.command),
    ...gettersOf(task).map(({ command }) => command),
  ]
  return given.flatMap((command) => {
    if (typeof command === 'string') return [command]
    return Array.isArray(command) ? [command.join(' ')] : []
  })
}

function openerOf(path: unknown): Application[] {
  if (typeof path !== 'string') return []
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase()
  if (ending === undefined) return ['files']
  const opener = openers[ending]
  return opener === undefined ? [] : [opener]
}

/**
 * The missing requirements of a task on a desktop of the image `desktop`. Empty: it can be played.
 * @param availableFiles addresses of the files included with the tasks
 * @example
 * lacksOf(task, new Set()) // ['Thunderbird', '2 of its 3 files']
 */
export function lacksOf(needs: OsworldNeeds, availableFiles: ReadonlySet<string>): string[] {
  const missing = needs.files.filter((url) => !availableFiles.has(url)).length
  const all = needs.files.length
  return [
    ...needs.applications.filter((name) => !installed.has(name)).map((name) => applications[name]),
    ...needs.others.map((need) => otherNeeds[need]),
    ...(missing > 0
      ? [
          missing === all
            ? `its ${all} files`.replace('its 1 files', 'its file')
            : `${missing} of its ${all} files`,
        ]
      : []),
  ]
}

export function lacksEverywhere({ others }: OsworldNeeds): string[] {
  const here = ['google_account', 'metric'] as const
  return here.filter((need) => others.includes(need)).map((need) => otherNeeds[need])
}

export function describeNeeds({ applications: asked, others, files }: OsworldNeeds): string {
  const named = [...asked.map((name) => applications[name]), ...others.map((need) => otherNeeds[need])]
  const count = files.length === 0 ? [] : [files.length === 1 ? '1 file' : `${files.length} files`]
  return [...named, ...count].join(', ')
}
