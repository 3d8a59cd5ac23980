export const pythonCure =
  'Install Python 3.11 or later (apt-get install python3 python3-venv), or name one in ESPALIER_PYTHON.'
