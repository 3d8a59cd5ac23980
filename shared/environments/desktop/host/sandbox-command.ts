import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const sandboxPaths = {
  home: '/home/user',
  runtime: '/run/user/1000',
  api: '/run/espalier',
  program: '/opt/espalier/session',
  python: '/opt/espalier/python',
} as const

/** The system's settings that a session may read: none about accounts, keys or services of this machine. */
const settings = [
  'alternatives',
  'bash.bashrc',
  'bash_completion.d',
  'chromium',
  'dbus-1',
  'dconf',
  'debian_version',
  'default/locale',
  'drirc',
  'fonts',
  'gimp',
  'gtk-2.0',
  'gtk-3.0',
  'inputrc',
  'java-11-openjdk',
  'java-17-openjdk',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'libreoffice',
  'locale.alias',
  'mailcap',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'pcmanfm',
  'profile',
  'profile.d',
  'pulse',
  'python3',
  'python3.11',
  'shells',
  'skel',
  'ssl/certs',
  'ca-certificates',
  'vim',
  'X11',
  'xdg',
]

export interface SessionFolders {
  home: string
  temporary: string
  api: string
  accounts: string
}

export const accountFiles: Record<string, string> = {
  passwd: 'root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:User,,,:/home/user:/bin/bash\n',
  group: 'root:x:0:\nuser:x:1000:\n',
  hosts: '127.0.0.1\tlocalhost\n127.0.1.1\tdesktop\n',
  hostname: 'desktop\n',
  'machine-id': '6d1c2b0f4c1e4f0a9b5f3d7a8e9c0b12\n',
  timezone: 'Etc/UTC\n',
}

/**
 * The command line of bubblewrap, up to the program. It has separate namespaces for users, processes, IPC, the host
 * name and an empty network, a read-only root, and its own writable folders. It ends with its parent process, and
 * with its first program.
 */
export function sandboxCommand(
  folders: SessionFolders,
  sources: { program: string; python: string },
): string[] {
  const fromSystem = settings
    .filter((name) => existsSync(join('/etc', name)))
    .flatMap((name) => ['--ro-bind', `/etc/${name}`, `/etc/${name}`])
  const own = Object.keys(accountFiles).flatMap((name) => [
    '--ro-bind',
    join(folders.accounts, name),
    `/etc/${name}`,
  ])
  return [
    'bwrap',
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    '--unshare-net',
    ...['--uid', '1000', '--gid', '1000', '--hostname', 'desktop'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/usr', '/usr'],
    ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...fromSystem,
    ...own,
    ...['--ro-bind', join(sources.program, 'chromium.d'), '/etc/chromium.d'],
    ...['--symlink', '/usr/share/zoneinfo/Etc/UTC', '/etc/localtime'],
    ...['--ro-bind-try', '/var/cache/fontconfig', '/var/cache/fontconfig'],
    ...['--ro-bind-try', '/var/lib/libreoffice', '/var/lib/libreoffice'],
    ...['--perms', '0700', '--dir', sandboxPaths.runtime],
    ...['--bind', folders.api, sandboxPaths.api],
    ...['--bind', folders.temporary, '/tmp'],
    ...['--bind', folders.home, sandboxPaths.home],
    ...['--ro-bind', sources.program, sandboxPaths.program],
    ...['--ro-bind', sources.python, sandboxPaths.python],
    ...['--chdir', sandboxPaths.home],
    '--',
  ]
}

export function sessionVariables(inside: {
  home: string
  runtime: string
  program: string
  python: string
}): Record<string, string> {
  return {
    HOME: inside.home,
    USER: 'user',
    LOGNAME: 'user',
    SHELL: '/bin/bash',
    PATH: [
      join(inside.program, 'commands'),
      join(inside.python, 'bin'),
      '/usr/local/bin',
      '/usr/bin',
      '/bin',
      '/usr/games',
    ].join(':'),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    LANGUAGE: 'en_US',
    TZ: 'UTC',
    XDG_RUNTIME_DIR: inside.runtime,
    XDG_CURRENT_DESKTOP: 'GNOME',
    XDG_SESSION_TYPE: 'x11',
    XDG_CONFIG_DIRS: '/etc/xdg',
    XDG_DATA_DIRS: '/usr/local/share:/usr/share',
    GTK_MODULES: 'gail:atk-bridge',
    GNOME_ACCESSIBILITY: '1',
    QT_ACCESSIBILITY: '1',
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
    SAL_USE_VCLPLUGIN: 'gtk3',
    LIBGL_ALWAYS_SOFTWARE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    // Searching for printers takes seconds if there are none.
    SAL_DISABLE_PRINTERLIST: '1',
    SAL_DISABLE_CUPS: '1',
  }
}
