package connectors

import (
	"mime"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// The texts about files. The first is the specification's.
const (
	textUnsupported = "Error: Unsupported file type. Please upload a valid file format."
	textEmpty       = "Please provide a valid file"
	textHyper       = "The file is not a Tableau Hyper extract that can be read. In Tableau open the data, choose Export and CSV, and " +
		"upload that file."
	textOldBook = "Workbooks of Excel 97-2003 (.xls) cannot be read here. In Excel choose Save As and Excel Workbook (.xlsx), and " +
		"upload that file."
	textOldSlides = "Presentations of PowerPoint 97-2003 (.ppt) cannot be read here. In PowerPoint choose Save As and PowerPoint " +
		"Presentation (.pptx), and upload that file."
	textBinaryBook = "Binary workbooks (.xlsb) cannot be read here. In Excel choose Save As and Excel Workbook (.xlsx), and upload that file."
	textMacros     = "The file holds macros, which are not taken. Save it as .xlsx or .pptx, without macros, and upload that file."
	textLocked     = "The file is protected by a password. Remove the password in the program that made it, save it as .xlsx or .pptx, and " +
		"upload that file."
	textNoBook   = "The file is not an Excel workbook that can be read. Open it in Excel, save it as .xlsx, and upload that file."
	textNoSlides = "The file is not a presentation that can be read. Open it in PowerPoint, save it as .pptx, and upload that file."
)

// Upload is what is known about an uploaded file before it is read.
type Upload struct {
	// Path is the file, on this machine.
	Path string
	// FileName and MediaType come from the client; MediaType may be empty.
	FileName, MediaType string
	// Said is the kind that a person chose; if empty, the file decides.
	Said string
}

// Detect finds the kind of an uploaded file from the client's values and from its bytes. If
// they differ the bytes decide: a workbook named .csv is a workbook. Errors: CodeInvalid for
// an empty file, or one of a known kind that cannot be read, with advice;
// CodeUnsupportedType for any other.
func Detect(u Upload) (domain.DataSourceType, error) {
	claimed, ok := claim(u)
	if !ok {
		return "", Unsupported()
	}
	content, err := Look(u.Path)
	if err != nil {
		return "", err
	}
	refused := func(text string) (domain.DataSourceType, error) { return "", domain.Invalid("file", text) }
	switch content {
	case ContentText:
		// A table may have the extension of a workbook. With that of a presentation or an
		// extract the file is damaged.
		switch domain.FileExtension(u.FileName) {
		case "hyper":
			return refused(textHyper)
		case "pptx", "pptm", "ppsx", "ppt":
			return refused(textNoSlides)
		}
		return domain.DataSourceCSV, nil
	case ContentWorkbook:
		return domain.DataSourceXLSX, nil
	case ContentSlides:
		return domain.DataSourcePPTX, nil
	case ContentHyper:
		return domain.DataSourceHyper, nil
	case ContentOldSlides:
		return domain.DataSourcePPT, nil
	case ContentEmpty:
		return refused(textEmpty)
	case ContentMacros:
		return refused(textMacros)
	case ContentBinaryBook:
		return refused(textBinaryBook)
	case ContentOldWorkbook:
		return refused(textOldBook)
	case ContentEncrypted, ContentLockedZip:
		return refused(textLocked)
	case ContentZip, ContentUnknown:
		// The bytes do not contradict the client, but there is nothing to read.
		switch claimed { //nolint:exhaustive // the others are files of text
		case domain.DataSourceHyper:
			return refused(textHyper)
		case domain.DataSourceXLSX, domain.DataSourceXLS:
			return refused(textNoBook)
		case domain.DataSourcePPTX, domain.DataSourcePPT:
			return refused(textNoSlides)
		}
	case ContentForeign:
	}
	return "", Unsupported()
}

// claim returns the kind by the specification's rule: what a person chose; a name that
// contains hyper; the name's extension, which comes before the media type because Windows
// declares every CSV as an Excel sheet; the media type; csv. It returns false if the file
// is known to be of another kind.
func claim(u Upload) (domain.DataSourceType, bool) {
	if u.Said != "" {
		return domain.KindOfExtension(strings.ToLower(strings.TrimSpace(u.Said)))
	}
	if strings.Contains(strings.ToLower(u.FileName), "hyper") {
		return domain.DataSourceHyper, true
	}
	extension := domain.FileExtension(u.FileName)
	if kind, ok := domain.KindOfExtension(extension); ok {
		return kind, true
	}
	media, _, err := mime.ParseMediaType(u.MediaType)
	if kind, ok := domain.KindOfMediaType(media); ok && err == nil {
		return kind, true
	}
	return domain.DataSourceCSV, extension == ""
}

// Unsupported is the specification's error for an unsupported kind of file.
func Unsupported() error {
	return domain.Errorf(domain.CodeUnsupportedType, "%s", textUnsupported)
}

// Untaken is the error for a known kind that this server does not read.
func Untaken(kind domain.DataSourceType) error {
	if kind == domain.DataSourcePPT {
		return domain.Invalid("file", textOldSlides)
	}
	return Unsupported()
}

// CheckFile checks a file before a connector reads it: the name may be shown, and the content
// is one that the connector accepts.
func CheckFile(path, fileName string, takes ...Content) error {
	if err := domain.CheckFileName(fileName); err != nil {
		return err
	}
	content, err := Look(path)
	switch {
	case err != nil:
		return err
	case content == ContentEmpty:
		return domain.Invalid("file", textEmpty)
	case !slices.Contains(takes, content):
		return Unsupported()
	}
	return nil
}
