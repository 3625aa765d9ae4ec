// Package office reads workbooks (.xlsx) and presentations (.pptx), which are zip files of XML. It reads only cells and
// texts: it does not calculate formulas, does not follow links, and does not unpack parts to files.
//
// Limits are checked as early as possible: the declared sizes before the first byte is unpacked, and the real sizes while
// a part is read. Each part is read as a stream. Only one row of a sheet, the shared texts of a workbook and the texts of
// a presentation are in memory.
package office
