package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
)

// TestAsked_Books asks questions about workbooks. Each folder is a workbook, and its CSV files are the sheets.
func TestAsked_Books(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Queue, c.Wait = 10_000, 10*time.Minute })
	folders, err := filepath.Glob("testdata/asked/books/*")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	p := builtin.New(builtin.Config{Clock: askedDay{}})
	for _, folder := range folders {
		name := filepath.Base(folder)
		source, _, err := b.upload(t, name+".xlsx", sheetsOf(t, folder))
		require.NoError(t, err)
		for _, a := range readAsked(t, filepath.Join(folder, "questions.txt")) {
			t.Run(name+"/"+a.name(), func(t *testing.T) {
				t.Parallel()
				ask(t, b, p, []domain.DataSource{source}, &a)
			})
		}
	}
}

// sheetsOf makes a workbook of a folder's CSV files. Texts that are numbers, dates or percentages become cells of that type.
func sheetsOf(t *testing.T, folder string) []byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return book(t, func(f *excelize.File) {
		percent, err := f.NewStyle(&excelize.Style{NumFmt: 10})
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
			require.NoError(t, err)
			sheet := strings.TrimSuffix(filepath.Base(file), ".csv")
			_, err = f.NewSheet(sheet)
			require.NoError(t, err)
			for i, record := range records {
				for k, text := range record {
					cell, err := excelize.CoordinatesToCellName(k+1, i+1)
					require.NoError(t, err)
					var value any = text
					bare, isPercent := strings.CutSuffix(text, "%")
					if n, err := strconv.ParseFloat(bare, 64); err == nil {
						value = n
						if isPercent {
							value = n / 100
							require.NoError(t, f.SetCellStyle(sheet, cell, cell, percent))
						}
					} else if day, err := time.Parse(time.DateOnly, text); err == nil {
						value = day
					}
					require.NoError(t, f.SetCellValue(sheet, cell, value))
				}
			}
		}
		require.NoError(t, f.DeleteSheet("Sheet1"))
	})
}
