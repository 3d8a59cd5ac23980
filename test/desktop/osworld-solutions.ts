const type = (text: string) => `pyautogui.write(${JSON.stringify(text)}, interval=0.02)`
const keys = (...names: string[]) => `pyautogui.hotkey(${names.map((name) => `'${name}'`).join(', ')})`
const press = (name: string, times = 1) => `pyautogui.press('${name}', presses=${times}, interval=0.1)`
const inTerminal = (line: string) => [`TERMINAL ${line}`, 'DONE']
/** A setting of VLC, which it reads when it is started. Its window would come before the terminal. */
const setVlc = (line: string) => [
  'WINDOW VLC media player',
  ...inTerminal(`sed -i '/^\\[core\\]/i ${line}' ~/.config/vlc/vlcrc`),
]
const gimp = 'WINDOW GNU Image Manipulation Program'
const giveUp = ['FAIL']

/** For tasks of OSWorld that need no file, no web and no Chrome, by id, the actions that solve them on our desktop. */
export const osworldSolutions: Readonly<Record<string, readonly string[]>> = {
  // GIMP
  'd52d6308-ec58-42b7-a2c9-de80e4837b2b': [
    gimp,
    keys('tab'),
    'WAIT',
    keys('ctrl', 'q'),
    'CLOSED GNU Image Manipulation Program',
    'WAIT',
    'DONE',
  ],
  '7b7617bd-57cc-468e-9c91-40c4ec2bcb3d': [
    gimp,
    ...inTerminal("echo '(undo-levels 100)' >> ~/.config/GIMP/2.10/gimprc"),
  ],
  '7767eef2-56a3-4cea-8c9f-48c070c7d65b': [
    gimp,
    ...inTerminal(`echo '(theme "Light")' >> ~/.config/GIMP/2.10/gimprc`),
  ],
  // LibreOffice
  'ef9d12bd-bcee-4ba0-a40e-918400f43ddf': [
    'WINDOW Untitled 1 - LibreOffice Impress',
    keys('alt', 'v'),
    'WAIT',
    press('down', 10),
    press('enter'),
    'WAIT',
    'DONE',
  ],
  '2cd43775-7085-45d8-89fa-9e35c0a915cf': [
    'WINDOW Select a Template',
    press('esc'),
    'WINDOW Untitled 1 - LibreOffice Impress',
    keys('alt', 'f12'),
    'WINDOW Options - LibreOffice - User Data',
    press('down', 12),
    press('right'),
    press('down'),
    'WINDOW Options - Load/Save - General',
    press('tab', 3),
    press('space'),
    press('tab'),
    keys('ctrl', 'a'),
    type('3\t'),
    press('enter'),
    'CLOSED Options - Load/Save - General',
    'WAIT',
    'DONE',
  ],
  // The system's settings and files
  '937087b6-f668-4ba6-9110-60682ee33441': inTerminal('xdg-mime default vlc.desktop video/mp4'),
  'bedcedc4-4d72-425e-ad62-21960b11fe0d': inTerminal('gsettings set org.gnome.desktop.session idle-delay 0'),
  'f9be0997-4b7c-45c5-b05c-4612b44a6118': inTerminal(
    'gsettings set org.gnome.desktop.notifications show-banners false',
  ),
  'e0df059f-28a6-4169-924f-b9623e7184cc': inTerminal(
    'mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2',
  ),
  '3ce045a0-877b-42aa-8d2c-b4a863336ab8': inTerminal(
    'gsettings set org.gnome.desktop.interface text-scaling-factor 1.5',
  ),
  'a4d98375-215b-4a4d-aee9-3d4370fccc41': inTerminal(
    'gsettings set org.gnome.desktop.screensaver lock-enabled true',
  ),
  '13584542-872b-42d8-b299-866967b5c3ef': inTerminal(
    "sed -i 's/^MiscBell=/MiscDefaultGeometry=132x43\\n&/' ~/.config/xfce4/terminal/terminalrc",
  ),
  // VLC
  '8ba5ae7a-5ae5-4eab-9fcc-5dd4fe3abf89': setVlc('input-record-path=/home/user/Desktop'),
  '9195653c-f4aa-453d-aa95-787f6ccfaae9': setVlc('qt-max-volume=200'),
  'd06f0d4d-2cd5-4ede-8de9-598629438c6e': setVlc('qt-slider-colours=0;0;0;20;20;20;40;40;40;60;60;60'),
  'a5bbbcd5-b398-4c91-83d4-55e1e31bbb81': setVlc('qt-minimal-view=1'),
  'f3977615-2b45-4ac5-8bba-80c17dbe2a37': setVlc('one-instance-when-started-from-file=0'),
  '215dfd39-f493-4bc3-a027-8a97d72c61bf': setVlc('qt-bgcone=0'),
  // What cannot be done
  'e19bd559-633b-4b02-940f-d946248f088e': giveUp,
  'fbb548ca-c2a6-4601-9204-e39a2efc507b': giveUp,
  '5ca86c6f-f317-49d8-b6a7-b527541caae8': giveUp,
  '2bd59342-0664-4ccb-ba87-79379096cc08': giveUp,
  '6d72aad6-187a-4392-a4c4-ed87269c51cf': giveUp,
  'a462a795-fdc7-4b23-b689-e8b6df786b78': giveUp,
  'b3d4a89c-53f2-4d6b-8b6a-541fb5d205fa': giveUp,
  'fe41f596-a71b-4c2f-9b2f-9dcd40b568c3': giveUp,
  'c288e301-e626-4b98-a1ab-159dcb162af5': giveUp,
  '4783cc41-c03c-4e1b-89b4-50658f642bd5': giveUp,
  '5ac2891a-eacd-4954-b339-98abba077adb': giveUp,
  'cb130f0d-d36f-4302-9838-b3baf46139b6': giveUp,
  '7882ed6e-bece-4bf0-bada-c32dc1ddae72': giveUp,
}
