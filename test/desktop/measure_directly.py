"""Makes files of every kind in a folder, and measures them by desktop-env's functions, called by hand.

Arguments: the folder of desktop-env's package, and the folder for the files. Writes the cases as JSON, each with its score.
"""
import importlib
import json
import sys
import types
from pathlib import Path
from unittest.mock import MagicMock

import fitz
import openpyxl
from docx import Document
from docx.shared import Pt
from openpyxl.styles import Font
from PIL import Image, ImageDraw, ImageEnhance
from pptx import Presentation
from pptx.util import Inches

sys.path.append(sys.argv[1])
FOLDER = Path(sys.argv[2])
for absent in ("easyocr", "borb", "borb.pdf", "librosa", "acoustid", "fastdtw"):
    sys.modules[absent] = MagicMock()
for package in ("desktop_env", "desktop_env.evaluators", "desktop_env.evaluators.metrics"):
    module = types.ModuleType(package)
    module.__path__ = [str(Path(sys.argv[1], *package.split(".")))]
    sys.modules[package] = module


def make_book(name, total, bold=False):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (("Item", "Price"), ("Tea", 3), ("Bread", 4.5), ("Total", total)):
        sheet.append(row)
    sheet["A1"].font = Font(bold=bold)
    book.save(FOLDER / name)


def make_document(name, text, size=11):
    document = Document()
    document.add_heading("Minutes", 1)
    document.add_paragraph().add_run(text).font.size = Pt(size)
    table = document.add_table(rows=2, cols=2)
    table.cell(0, 0).text = "Name"
    document.save(FOLDER / name)


def make_slides(name, title):
    slides = Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[5])
    slide.shapes.title.text = title
    slide.shapes.add_textbox(Inches(1), Inches(3), Inches(4), Inches(1)).text_frame.text = "A box"
    slides.save(FOLDER / name)


def make_pictures():
    picture = Image.new("RGB", (160, 120), (40, 90, 160))
    draw = ImageDraw.Draw(picture)
    for index in range(12):
        draw.rectangle((index * 13, index * 7, index * 13 + 40, index * 7 + 30), fill=(index * 20, 200 - index * 9, 80))
    picture.save(FOLDER / "picture.png")
    ImageEnhance.Brightness(picture).enhance(0.6).save(FOLDER / "darker.png")
    picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(FOLDER / "mirrored.png")


def make_pdf(name, text):
    pdf = fitz.open()
    pdf.new_page().insert_text((72, 72), text)
    pdf.save(FOLDER / name)


make_book("book.xlsx", 7.5)
make_book("same.xlsx", 7.5)
make_book("other.xlsx", 8, bold=True)
make_document("minutes.docx", "All agreed.")
make_document("agreed.docx", "All agreed.")
make_document("disputed.docx", "Nobody agreed.", size=20)
make_slides("slides.pptx", "Plan")
make_slides("plan.pptx", "Plan")
make_slides("another.pptx", "Another plan")
make_pictures()
make_pdf("page.pdf", "The same page")
make_pdf("pages.pdf", "Another page altogether")
(FOLDER / "note.txt").write_text("alpha\nbeta\n")
(FOLDER / "other.txt").write_text("alpha\ngamma\n")
(FOLDER / "data.csv").write_text("name,age\nAda,36\nAlan,41\n")
(FOLDER / "settings.json").write_text(json.dumps({"theme": "dark", "size": 12}))

SHEETS = {"rules": [{"type": "sheet_data", "sheet_idx0": 0, "sheet_idx1": "EI0"}]}
STYLES = {"rules": [{"type": "style", "sheet_idx0": 0, "sheet_idx1": "EI0", "props": ["font_bold"]}]}
CELL = {
    "rules": [
        {"type": "check_cell", "sheet_idx": 0, "coordinate": "B4", "props": {"value": {"method": "eq", "ref": 7.5}}}
    ]
}
# Module, metric, the result, what is expected (a file by its name, else a rule), options.
CASES = [
    ("table", "compare_table", "book.xlsx", "same.xlsx", SHEETS),
    ("table", "compare_table", "book.xlsx", "other.xlsx", SHEETS),
    ("table", "compare_table", "book.xlsx", "other.xlsx", STYLES),
    ("table", "compare_table", "book.xlsx", None, CELL),
    ("table", "compare_table", "other.xlsx", None, CELL),
    ("table", "compare_csv", "data.csv", "data.csv", {}),
    ("table", "compare_csv", "data.csv", "note.txt", {}),
    ("docs", "compare_docx_files", "minutes.docx", "agreed.docx", {}),
    ("docs", "compare_docx_files", "minutes.docx", "disputed.docx", {}),
    ("docs", "compare_docx_files", "minutes.docx", "disputed.docx", {"fuzzy_match": True}),
    ("docs", "compare_docx_tables", "minutes.docx", "agreed.docx", {}),
    ("docs", "compare_line_spacing", "minutes.docx", "disputed.docx", {}),
    ("slides", "compare_pptx_files", "slides.pptx", "plan.pptx", {}),
    ("slides", "compare_pptx_files", "slides.pptx", "another.pptx", {}),
    ("slides", "compare_pptx_files", "slides.pptx", "another.pptx", {"examine_text": False}),
    ("gimp", "check_structure_sim", "picture.png", "darker.png", {}),
    ("gimp", "check_structure_sim", "picture.png", "mirrored.png", {}),
    ("gimp", "check_brightness_decrease_and_structure_sim", "darker.png", "picture.png", {}),
    ("gimp", "check_brightness_decrease_and_structure_sim", "picture.png", "darker.png", {}),
    ("gimp", "check_image_mirror", "mirrored.png", "picture.png", {}),
    ("gimp", "check_image_mirror", "picture.png", "darker.png", {}),
    ("gimp", "check_image_size", "picture.png", {"width": 160, "height": 120}, {}),
    ("gimp", "check_image_size", "picture.png", {"width": 16, "height": 120}, {}),
    ("vlc", "compare_images", "picture.png", "picture.png", {}),
    ("vlc", "compare_images", "picture.png", "darker.png", {}),
    ("chrome", "compare_pdfs", "page.pdf", "page.pdf", {}),
    ("chrome", "compare_pdfs", "page.pdf", "pages.pdf", {}),
    ("pdf", "check_pdf_pages", "page.pdf", {"relation": "eq", "ref_value": 1}, {}),
    ("vscode", "compare_text_file", "note.txt", "note.txt", {}),
    ("vscode", "compare_text_file", "note.txt", "other.txt", {}),
    ("general", "diff_text_file", "note.txt", "other.txt", {}),
    ("general", "check_csv", "data.csv", {"expect": [{"name": "Ada"}]}, {}),
    ("general", "check_csv", "data.csv", {"expect": [{"name": "Grace"}]}, {}),
    ("general", "check_json", "settings.json", {"expect": [{"key": ["theme"], "method": "eq", "ref": "dark"}]}, {}),
    ("general", "check_json", "settings.json", {"expect": [{"key": ["size"], "method": "eq", "ref": 13}]}, {}),
    ("vscode", "check_json_settings", "settings.json", {"expected": {"theme": "dark"}}, {}),
    ("docs", "compare_docx_files", None, "agreed.docx", {}),
    ("table", "compare_table", None, "same.xlsx", SHEETS),
]


def place(name):
    return str(FOLDER / name) if name is not None else None


measured = []
for module_name, name, result, expected, options in CASES:
    metric = getattr(importlib.import_module(f"desktop_env.evaluators.metrics.{module_name}"), name)
    values = [place(result)]
    if expected is not None:
        values.append(place(expected) if isinstance(expected, str) else expected)
    score = float(metric(*values, **options))
    measured.append({"func": name, "result": result, "expected": expected, "options": options, "score": score})
print("\n" + json.dumps(measured))
