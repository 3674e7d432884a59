#!/bin/sh
eval "$1"
