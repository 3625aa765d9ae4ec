package domain

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// PictureMax is the maximum size of a stored picture of a person in bytes.
const PictureMax = 100 << 10

// ValidPicture reports whether a picture may be shown to others: it is empty, an image as a
// data URL, or a path on our own origin. SVG images are not allowed, because they may contain
// a script. Foreign addresses are not allowed, because they would reveal to a third party who
// looks at the picture.
func ValidPicture(picture string) bool {
	switch {
	case picture == "":
		return true
	case len(picture) > PictureMax || !Storable(picture) || strings.ContainsAny(picture, "\\\r\n\t "):
		return false
	case strings.HasPrefix(picture, "/"):
		return !strings.HasPrefix(picture, "//") && !strings.Contains(picture, "..")
	}
	kind, data, found := strings.Cut(strings.TrimPrefix(picture, "data:image/"), ";base64,")
	if !found || !strings.HasPrefix(picture, "data:image/") {
		return false
	}
	image, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return false
	}
	switch kind {
	case "png":
		return bytes.HasPrefix(image, []byte("\x89PNG\r\n\x1a\n"))
	case "jpeg":
		return bytes.HasPrefix(image, []byte("\xff\xd8\xff"))
	case "gif":
		return bytes.HasPrefix(image, []byte("GIF8"))
	case "webp":
		return len(image) > 12 && bytes.HasPrefix(image, []byte("RIFF")) && string(image[8:12]) == "WEBP"
	}
	return false
}
