import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The Debian packages of a desktop. Both the image and the test suite install these. A test compares the image's list
 * with this one.
 */
export const desktopPackages = [
  'xvfb',
  'openbox',
  'pcmanfm',
  'lxpanel',
  'wmctrl',
  'xclip',
  'xdotool',
  'scrot',
  'x11-utils',
  'dbus',
  'dconf-gsettings-backend',
  'dconf-service',
  'gsettings-desktop-schemas',
  'at-spi2-core',
  'libatk-adaptor',
  'libglib2.0-bin',
  'python3-gi',
  'gir1.2-atspi-2.0',
  'python3',
  'python3-venv',
  'python3-tk',
  'python3-xlib',
  'python3-pil',
  'libreoffice-calc',
  'libreoffice-writer',
  'libreoffice-impress',
  'libreoffice-gtk3',
  'gimp',
  'vlc',
  'xfce4-terminal',
  'chromium',
  'adwaita-icon-theme',
  'fonts-dejavu',
  'fonts-liberation',
  'file',
  'git',
  'procps',
  'psmisc',
  'unzip',
  'xdg-utils',
  'desktop-file-utils',
  'shared-mime-info',
  'zip',
  'bubblewrap',
] as const

const named = ['libreoffice-core', 'gimp', 'vlc', 'xfce4-terminal', 'chromium', 'xvfb'] as const

export interface MissingPrograms {
  packages: string[]
  install: string | null
}

export async function findMissingPrograms(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Promise<MissingPrograms> {
  const installed = await installedVersions(desktopPackages, variables)
  const packages = desktopPackages.filter((name) => !installed.has(name))
  const install =
    packages.length === 0 ? null : `apt-get install --yes --no-install-recommends ${packages.join(' ')}`
  return { packages, install }
}

let runtime: Promise<string> | undefined

export function desktopRuntime(): Promise<string> {
  runtime ??= describeRuntime()
  return runtime
}

export async function officeVersion(): Promise<string> {
  const version = (await installedVersions(['libreoffice-core'])).get('libreoffice-core') ?? '7.4'
  return /^(?:\d+:)?(\d+\.\d+)/.exec(version)?.[1] ?? '7.4'
}

async function describeRuntime(): Promise<string> {
  const versions = await installedVersions(named)
  const programs = named.map((name) => `${name} ${plain(versions.get(name) ?? 'missing')}`)
  const { stdout } = await run('cat', ['/etc/debian_version']).catch(() => ({ stdout: 'unknown' }))
  return [`Debian ${stdout.trim()}`, ...programs].join(', ')
}

const plain = (version: string) => version.replace(/^\d+:/, '').replace(/-[^-]*$/, '')

async function installedVersions(
  packages: readonly string[],
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Map<string, string>> {
  const format = `\${db:Status-Status} \${Package} \${Version}\n`
  // Its exit code is 1 if a package is unknown, and its output still lists the others.
  const { stdout } = await run('dpkg-query', ['-W', '-f', format, ...packages], {
    env: { ...variables },
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  const lines = stdout.split('\n').map((line) => line.split(' '))
  return new Map(
    lines.flatMap(([status, name = '', version = '']) =>
      status === 'installed' ? [[name, version] as const] : [],
    ),
  )
}
