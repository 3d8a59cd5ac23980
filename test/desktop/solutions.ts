/** Text that is typed key by key. */
const type = (text: string) => `pyautogui.write(${JSON.stringify(text)}, interval=0.02)`
/** Keys that are pressed together. */
const keys = (...names: string[]) => `pyautogui.hotkey(${names.map((name) => `'${name}'`).join(', ')})`
const press = (name: string, times = 1) => `pyautogui.press('${name}', presses=${times}, interval=0.1)`

/** To a cell or a range of a spreadsheet, by the field with its name. */
const select = (range: string) => [keys('ctrl', 'shift', 't'), type(`${range}\n`)]
/** Saves in the format that the file has, which LibreOffice asks about. */
const save = [
  keys('ctrl', 's'),
  'WINDOW Confirm File Format',
  press('enter'),
  'CLOSED Confirm File Format',
  'WAIT',
]
/** A command of GIMP by its name. */
const command = (name: string) => [
  press('/'),
  'WINDOW Search Actions',
  type(name),
  'WAIT',
  press('enter'),
  'CLOSED Search Actions',
]
const exportAs = (path: string) => [
  keys('ctrl', 'shift', 'e'),
  'WINDOW Export Image',
  keys('ctrl', 'a'),
  type(`${path}\n`),
  'WINDOW Export Image as PNG',
  press('enter'),
  'WINDOW (exported)',
]
/** By the menu of files, where so many entries below are passed. */
const exportPdf = (below: number, path: string) => [
  keys('alt', 'f'),
  'WAIT',
  press('up', below),
  press('right'),
  press('enter'),
  'WINDOW PDF Options',
  press('enter'),
  'WINDOW Export',
  keys('ctrl', 'a'),
  type(`${path}\n`),
  'CLOSED Export',
  'WAIT',
]
const inTerminal = (line: string) => [type(`${line}; exit\n`), 'CLOSED Terminal', 'DONE']
const inNewTerminal = (line: string) => [`TERMINAL ${line}`]

/** For each of our own tasks the actions that solve it, by keys and clicks as an agent has them. */
export const solutions: Readonly<Record<string, readonly string[]>> = {
  'calc-month-total': [...select('B7'), type('=SUM(B2:B6)\n'), ...save, 'DONE'],
  'calc-average-score': [...select('A6'), type('Average\t=AVERAGE(B2:B5)\n'), ...save, 'DONE'],
  'calc-price-with-tax': [...select('C2'), type('=B2*1.2\n=B3*1.2\n=B4*1.2\n'), ...save, 'DONE'],
  'calc-sort-stock': [...select('A2'), type('Nut\t120\nScrew\t95\nWasher\t75\nBolt\t40\n'), ...save, 'DONE'],
  'calc-export-csv': [
    keys('ctrl', 'shift', 's'),
    'WINDOW Save',
    keys('ctrl', 'a'),
    type('/home/user/Documents/members.csv\n'),
    'WINDOW Confirm File Format',
    press('enter'),
    'WINDOW Export Text File',
    press('enter'),
    'WINDOW members.csv',
    'DONE',
  ],
  'calc-rename-sheet': [
    keys('alt', 's'),
    'WAIT',
    press('up', 6),
    press('enter'),
    'WINDOW Rename Sheet',
    keys('ctrl', 'a'),
    type('2027\n'),
    'CLOSED Rename Sheet',
    ...save,
    'DONE',
  ],
  'calc-bold-headings': [...select('A1:B1'), keys('ctrl', 'b'), ...save, 'DONE'],
  'calc-phone-alarm': ['FAIL'],
  'writer-center-title': [keys('ctrl', 'home'), keys('ctrl', 'e'), ...save, 'DONE'],
  'writer-replace-word': [
    keys('ctrl', 'h'),
    'WINDOW Find and Replace',
    type('colour'),
    press('tab', 4),
    type('color'),
    keys('alt', 'l'),
    'WAIT',
    press('esc'),
    'CLOSED Find and Replace',
    press('esc'),
    ...save,
    'DONE',
  ],
  'writer-page-break': [
    keys('ctrl', 'home'),
    press('down'),
    press('home'),
    keys('ctrl', 'enter'),
    ...save,
    'DONE',
  ],
  'writer-export-pdf': [...exportPdf(9, '/home/user/Documents/report.pdf'), 'DONE'],
  'writer-scented-card': ['FAIL'],
  'impress-add-slide': [keys('ctrl', 'm'), ...save, 'DONE'],
  'impress-fix-title': [
    keys('ctrl', 'h'),
    'WINDOW Find and Replace',
    type('Sumer'),
    press('tab', 4),
    type('Summer'),
    keys('alt', 'l'),
    'WAIT',
    press('esc'),
    'CLOSED Find and Replace',
    press('esc'),
    ...save,
    'DONE',
  ],
  'impress-export-pdf': [...exportPdf(8, '/home/user/Documents/handout.pdf'), 'DONE'],
  'gimp-mirror': [
    ...command('flip image horizontally'),
    ...exportAs('/home/user/Pictures/garden-mirrored.png'),
    'DONE',
  ],
  'gimp-grayscale': [...command('grayscale'), ...exportAs('/home/user/Pictures/lamp-grey.png'), 'DONE'],
  'gimp-scale': [
    ...command('scale image'),
    'WINDOW Scale Image',
    keys('ctrl', 'a'),
    type('320\t'),
    keys('alt', 's'),
    'CLOSED Scale Image',
    ...exportAs('/home/user/Pictures/small.png'),
    'DONE',
  ],
  'gimp-missing-person': ['FAIL'],
  'vlc-playlist': [
    keys('ctrl', 'y'),
    'WINDOW Save playlist as',
    keys('ctrl', 'a'),
    type('/home/user/Music/mix.m3u\n'),
    'CLOSED Save playlist as',
    'WAIT',
    'DONE',
  ],
  'vlc-subtitles': ['FAIL'],
  'terminal-rename-folder': inTerminal('mv ~/drafts_may ~/drafts_june'),
  'terminal-count-errors': inTerminal('cat ~/logs/* | grep -cw ERROR > ~/errors.txt'),
  'terminal-archive': inTerminal('tar -C ~ -czf ~/project.tar.gz project'),
  'terminal-make-executable': inTerminal('chmod 755 ~/bin/backup.sh'),
  'terminal-change-port': inTerminal("sed -i '2s/8080/9090/' ~/app/settings.ini"),
  'terminal-largest-file': inTerminal(
    "find ~/data -type f -printf '%s %p\\n' | sort -n | tail -1 | cut -d' ' -f2 > ~/largest.txt",
  ),
  'files-rename': [
    type('scan'),
    'WAIT',
    press('esc'),
    press('f2'),
    'WINDOW Rename File',
    keys('ctrl', 'a'),
    type('contract.txt\n'),
    'CLOSED Rename File',
    'DONE',
  ],
  'files-new-folder': [
    keys('ctrl', 'shift', 'n'),
    'WINDOW Creating New Folder',
    keys('ctrl', 'a'),
    type('Invoices\n'),
    'CLOSED Creating New Folder',
    'DONE',
  ],
  'files-move-pictures': [...inNewTerminal('mv ~/Downloads/*.jpg ~/Pictures/'), 'DONE'],
  'files-delete': [type('old'), 'WAIT', press('esc'), press('delete'), 'WAIT', press('enter'), 'DONE'],
  'settings-wallpaper': [
    ...inNewTerminal('pcmanfm --set-wallpaper=/home/user/Pictures/hills.png --wallpaper-mode=crop'),
    'WAIT',
    'DONE',
  ],
  'settings-default-viewer': [...inNewTerminal('xdg-mime default gimp.desktop image/png'), 'DONE'],
  'settings-second-screen': ['FAIL'],
}
