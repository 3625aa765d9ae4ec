// Package office reads workbooks (.xlsx) and presentations (.pptx): packed folders
// of XML. It reads cells and texts and nothing else: no formula is worked out, no
// link followed, no part unpacked to a file.
//
// The limits stand before the work. What a file declares is checked before the
// first byte is unpacked, what it really holds while it is read, and a part is a
// stream: memory holds one row, and the shared texts of a workbook.
package office
