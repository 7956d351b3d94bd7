# What OpenWrt's files of these names give to a package's Makefile, for the machine itself: WORK is a folder with the archive.
INCLUDE_DIR := $(TOPDIR)/include
INSTALL_DIR := install -d -m0755
INSTALL_BIN := install -m0755
CP := cp -fpR
