/** The names of keys beside single characters that pyautogui knows. */
const named = `
accept add alt altleft altright apps backspace browserback browserfavorites browserforward browserhome browserrefresh browsersearch
browserstop capslock clear command convert ctrl ctrlleft ctrlright decimal del delete divide down end enter esc escape execute f1 f2 f3
f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24 final fn hanguel hangul hanja help home insert junja kana
kanji launchapp1 launchapp2 launchmail launchmediaselect left modechange multiply nexttrack nonconvert num0 num1 num2 num3 num4 num5
num6 num7 num8 num9 numlock option optionleft optionright pagedown pageup pause pgdn pgup playpause prevtrack print printscreen prntscrn
prtsc prtscr return right scrolllock select separator shift shiftleft shiftright sleep space stop subtract tab up volumedown volumemute
volumeup win winleft winright yen
`

const names = new Set(named.trim().split(/\s+/))
/** ASCII from the blank to the tilde, without capitals, which are compared in lower case. */
const single = /^[\t\n\r -@[-~]$/

/** Whether OSWorld's action space `computer_13` has a key of that name. */
export function isKeyboardKey(key: string): boolean {
  const lower = key.toLowerCase()
  return single.test(lower) || names.has(lower)
}
