"""The home folder of a session: its folders, and settings by which programs start without asking anything."""

from __future__ import annotations

import shutil
from pathlib import Path

FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos")

_NEVER = 4_102_444_800
"""A time in the year 2100: what LibreOffice shows now and then was just shown."""

_OFFICE_ITEMS = (
    ("/org.openoffice.Office.Common/Misc", "FirstRun", "false"),
    ("/org.openoffice.Office.Common/Misc", "ShowTipOfTheDay", "false"),
    ("/org.openoffice.Office.Common/Misc", "CrashReport", "false"),
    ("/org.openoffice.Office.Common/Misc", "SymbolStyle", "colibre"),
    ("/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
    ("/org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
    ("/org.openoffice.Setup/Product", "ooSetupLastVersion", "{version}"),
    ("/org.openoffice.Setup/Product", "LastTimeDonateShown", str(_NEVER)),
    ("/org.openoffice.Setup/Product", "LastTimeGetInvolvedShown", str(_NEVER)),
)


def _office_registry(version: str) -> str:
    items = "\n".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{value.format(version=version)}</value></prop></item>"
        for path, name, value in _OFFICE_ITEMS
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
        f"{items}\n</oor:items>\n"
    )


_USER_FOLDERS = "".join(
    f'XDG_{key}_DIR="$HOME/{name}"\n'
    for key, name in (
        ("DESKTOP", "Desktop"),
        ("DOCUMENTS", "Documents"),
        ("DOWNLOAD", "Downloads"),
        ("MUSIC", "Music"),
        ("PICTURES", "Pictures"),
        ("PUBLICSHARE", "Public"),
        ("TEMPLATES", "Templates"),
        ("VIDEOS", "Videos"),
    )
)

# Nothing blinks and nothing glides, so that two pictures of a desktop at rest are equal.
_GTK3 = """[Settings]
gtk-enable-animations=0
gtk-cursor-blink=0
gtk-recent-files-enabled=1
"""
_GTK2 = """gtk-cursor-blink = 0
"""
_VLC = """[qt]
qt-privacy-ask=0
qt-updates-notif=0

[core]
metadata-network-access=0
"""
_GIMP = """(check-updates no)
(show-welcome-dialog no)
"""
_TERMINAL = """[Configuration]
MiscConfirmClose=FALSE
MiscCursorBlinks=FALSE
MiscShowUnsafePasteDialog=FALSE
MiscAlwaysShowTabs=FALSE
MiscBell=FALSE
"""
_DESKTOP = """[*]
wallpaper_mode=color
desktop_bg=#2e3f5c
desktop_fg=#ffffff
desktop_shadow=#000000
show_wm_menu=0
sort=mtime;ascending;
show_documents=0
show_trash=0
show_mounts=0
"""
_FILES = """[config]
bm_open_method=0

[volume]
mount_on_startup=0
mount_removable=0
autorun=0

[ui]
always_show_tabs=0
max_tab_chars=32
win_width=1000
win_height=700
side_pane_mode=places
view_mode=icon
show_hidden=0
sort=name;ascending;
toolbar=navigation;home;
show_statusbar=1
pathbar_mode_buttons=0
"""
_LIBFM = """[config]
single_click=0
use_trash=1
confirm_del=1
confirm_trash=0
quick_exec=1
terminal=xfce4-terminal --disable-server -x %s
thumbnail_local=1
"""
_WINDOWS = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><focusLast>yes</focusLast><followMouse>no</followMouse></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme>
    <name>Clearlooks</name>
    <titleLayout>NLIMC</titleLayout>
    <animateIconify>no</animateIconify>
    <keepBorder>yes</keepBorder>
  </theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <keyboard>
    <keybind key="A-F4"><action name="Close"/></keybind>
    <keybind key="A-F10"><action name="ToggleMaximize"/></keybind>
    <keybind key="A-Tab"><action name="NextWindow"><finalactions><action name="Focus"/><action name="Raise"/>
      <action name="Unshade"/></finalactions></action></keybind>
    <keybind key="A-S-Tab"><action name="PreviousWindow"><finalactions><action name="Focus"/><action name="Raise"/>
      <action name="Unshade"/></finalactions></action></keybind>
    <keybind key="W-Up"><action name="Maximize"/></keybind>
    <keybind key="W-Down"><action name="Unmaximize"/></keybind>
    <keybind key="W-d"><action name="ToggleShowDesktop"/></keybind>
    <keybind key="W-e"><action name="Execute"><command>pcmanfm</command></action></keybind>
    <keybind key="C-A-t"><action name="Execute"><command>gnome-terminal</command></action></keybind>
  </keyboard>
  <mouse>
    <doubleClickTime>500</doubleClickTime>
    <context name="Frame">
      <mousebind button="A-Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="A-Right" action="Drag"><action name="Resize"/></mousebind>
    </context>
    <context name="Titlebar">
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Titlebar Top Right Bottom Left TLCorner TRCorner BRCorner BLCorner">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Top"><mousebind button="Left" action="Drag"><action name="Resize"><edge>top</edge></action></mousebind></context>
    <context name="Left"><mousebind button="Left" action="Drag"><action name="Resize"><edge>left</edge></action></mousebind></context>
    <context name="Right"><mousebind button="Left" action="Drag"><action name="Resize"><edge>right</edge></action></mousebind></context>
    <context name="Bottom"><mousebind button="Left" action="Drag"><action name="Resize"><edge>bottom</edge></action></mousebind></context>
    <context name="TLCorner TRCorner BRCorner BLCorner">
      <mousebind button="Left" action="Drag"><action name="Resize"/></mousebind>
    </context>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Icon">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Close">
      <mousebind button="Left" action="Click"><action name="Close"/></mousebind>
    </context>
    <context name="Maximize">
      <mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Iconify">
      <mousebind button="Left" action="Click"><action name="Iconify"/></mousebind>
    </context>
  </mouse>
  <applications>
    <application class="*"><focus>yes</focus></application>
  </applications>
</openbox_config>
"""


def fill_home(home: Path, office_version: str) -> None:
    """Adds what is not there yet, so that a home that was copied keeps what it has."""
    for name in FOLDERS:
        (home / name).mkdir(parents=True, exist_ok=True)
    for path in Path("/etc/skel").glob(".*"):
        if path.is_file() and not (home / path.name).exists():
            shutil.copyfile(path, home / path.name)
    for name, text in {
        ".config/user-dirs.dirs": _USER_FOLDERS,
        ".config/user-dirs.locale": "en_US",
        ".config/gtk-3.0/settings.ini": _GTK3,
        ".gtkrc-2.0": _GTK2,
        ".config/vlc/vlcrc": _VLC,
        ".config/GIMP/2.10/gimprc": _GIMP,
        ".config/xfce4/terminal/terminalrc": _TERMINAL,
        ".config/pcmanfm/default/desktop-items-0.conf": _DESKTOP,
        ".config/pcmanfm/default/pcmanfm.conf": _FILES,
        ".config/libfm/libfm.conf": _LIBFM,
        ".config/openbox/rc.xml": _WINDOWS,
        ".config/libreoffice/4/user/registrymodifications.xcu": _office_registry(office_version),
    }.items():
        path = home / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
